/* corpus/packed/brotli.c - see unpack.h; the decoder is libbrotli's. */
#include <brotli/decode.h>

#include "pardup/base/error.h"
#include "unpack.h"

int pd_unbrotli_all(struct pd_unpacking *u)
{
    struct pd_bytes *out = u->out;
    const size_t before = out->n;
    const unsigned char *s = u->s;
    size_t n = u->n;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    PD_CHECK(state);
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && out->n <= u->most) {
        pd_bytes_reserve(out, out->n + PD_STEP);
        unsigned char *to = out->v + out->n;
        size_t room = PD_STEP;
        result = BrotliDecoderDecompressStream(state, &n, &s, &room, &to, NULL);
        out->n += PD_STEP - room;
    }
    BrotliDecoderDestroyInstance(state);
    u->cut = result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
    if (result == BROTLI_DECODER_RESULT_ERROR || (u->cut && out->n == before))
        u->trouble = (struct pd_trouble){PD_SKIP_CORRUPT, "brotli data is corrupt"};
    else if (out->n > u->most)
        u->trouble =
            (struct pd_trouble){PD_SKIP_TOO_LARGE, "decoded body is too large (--max-document)"};
    else
        return PD_OK;
    return PD_EFORMAT;
}
