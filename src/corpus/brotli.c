/* corpus/brotli.c - see unpack.h; the decoder is libbrotli's. */
#include <brotli/decode.h>

#include "pardup/base/error.h"
#include "unpack.h"

int pd_unbrotli_all(const unsigned char *s, size_t n, struct pd_bytes *out, uint64_t most,
                    bool *cut, struct pd_trouble *trouble)
{
    const size_t before = out->n;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    PD_CHECK(state);
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && out->n <= most) {
        pd_bytes_reserve(out, out->n + PD_STEP);
        unsigned char *to = out->v + out->n;
        size_t room = PD_STEP;
        result = BrotliDecoderDecompressStream(state, &n, &s, &room, &to, NULL);
        out->n += PD_STEP - room;
    }
    BrotliDecoderDestroyInstance(state);
    *cut = result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
    if (result == BROTLI_DECODER_RESULT_ERROR || (*cut && out->n == before))
        *trouble = (struct pd_trouble){PD_SKIP_CORRUPT, "brotli data is corrupt"};
    else if (out->n > most)
        *trouble =
            (struct pd_trouble){PD_SKIP_TOO_LARGE, "decoded body is too large (--max-document)"};
    else
        return PD_OK;
    return PD_EFORMAT;
}
