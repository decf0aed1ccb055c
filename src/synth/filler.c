/* synth/filler.c - see src/synth/filler.h */
#include "filler.h"

enum {
    DIGITS = 6,     /* of a hexadecimal number */
    LINE_MOST = 160 /* bytes that the longest line has with its numbers, or more */
};

/* Lines of filler. Each $ is replaced by a random hexadecimal number. */
static const char *const styles[] = {
    ".box-$ { margin: 0 auto; padding: 4px 12px; border: 1px solid #$; }\n",
    "#main .row-$ > li a:hover { color: #$; text-decoration: none }\n",
    "@media (max-width: 720px) { .col-$ { width: 100%; float: none; } }\n",
    ".icon-$ { background: url(/static/img/$.png) no-repeat 0 0; }\n",
    "h2.title-$, h3.title-$ { font: bold 1.2em/1.4 Georgia, serif; }\n",
    ".nav-$ ul { list-style: none; margin: 0; padding: 0 }\n",
    ".btn-$:active { box-shadow: inset 0 2px 4px rgba(0,0,0,.15); }\n",
    ".grid-$ { display: flex; flex-wrap: wrap; justify-content: space-between }\n"};
static const char *const scripts[] = {
    "  var node$ = document.getElementById(\"el-$\");\n",
    "  if (window.cfg$ && typeof cfg$.load === \"function\") { cfg$.load(); }\n",
    "  queue.push([\"track\", \"event-$\", { value: 0x$, label: \"page\" }]);\n",
    "  function fn$(a, b) { return a < b ? a + 0x$ : b - 0x$; }\n",
    "  for (var i = 0; i < list$.length; i++) { list$[i].hidden = true; }\n",
    "  addEventListener(\"click\", function (e) { send(\"$\", e.target.id); });\n",
    "  // module $ loads after the page is shown\n",
    "  html += \"<div class='w-$'>\" + text$ + \"</div>\";\n"};
static const char *const data[] = {
    "{\"id\":\"$\",\"type\":\"teaser\",\"url\":\"/item/$.html\",\"rank\":0},\n",
    "{\"image\":\"/media/$_$.jpg\",\"width\":640,\"height\":360,\"alt\":\"\"},\n",
    "{\"key\":\"$\",\"value\":\"$\",\"flags\":[1,0,1],\"ttl\":3600},\n",
    "{\"event\":\"view\",\"session\":\"$$\",\"time\":\"$\"},\n"};

/* Append n bytes of random lines; the last line may be cut. */
static void fill(const char *const *lines, uint32_t nlines, struct pd_synth_random *r, size_t n,
                 struct pd_bytes *out)
{
    static const char digits[] = "0123456789abcdef";
    const size_t end = out->n + n;
    pd_bytes_reserve(out, end + LINE_MOST);
    while (out->n < end) {
        uint64_t x = pd_synth_next(r);
        unsigned char *p = out->v + out->n;
        for (const char *c = lines[(x & UINT32_MAX) % nlines]; *c; c++) {
            if (*c != '$') {
                *p++ = (unsigned char)*c;
                continue;
            }
            for (int k = 0; k < DIGITS; k++, x = x >> 4 | x << 60)
                *p++ = (unsigned char)digits[x & 0xF];
        }
        const size_t left = end - out->n, made = (size_t)(p - (out->v + out->n));
        out->n += made < left ? made : left;
    }
}

void pd_synth_filler_style(struct pd_synth_random *r, size_t n, struct pd_bytes *out)
{
    fill(styles, sizeof styles / sizeof *styles, r, n, out);
}

void pd_synth_filler_script(struct pd_synth_random *r, size_t n, struct pd_bytes *out)
{
    fill(scripts, sizeof scripts / sizeof *scripts, r, n, out);
}

void pd_synth_filler_data(struct pd_synth_random *r, size_t n, struct pd_bytes *out)
{
    fill(data, sizeof data / sizeof *data, r, n, out);
}
