/**
 * The look of all pages for people: calm, one column, system fonts, both colour schemes from one list of tokens. Every
 * pair of text and ground here has a contrast of at least 4.5 to 1.
 */
export const baseStyle = `
:root{color-scheme:light dark;
--ground:light-dark(#f6f7f9,#131619);--card:light-dark(#fff,#1b1f23);--sunken:light-dark(#f0f2f5,#14181b);
--ink:light-dark(#1a1e23,#e9ebee);--soft:light-dark(#525b66,#aab2bb);--line:light-dark(#d8dde3,#343b42);
--link:light-dark(#1b4db3,#93b9ff);--focus:light-dark(#1b4db3,#b9d2ff);
--critical:light-dark(#a01126,#ff9da8);--critical-ground:light-dark(#fdecee,#3b1a1f);
--serious:light-dark(#973a00,#ffb582);--serious-ground:light-dark(#fff1e6,#382316);
--moderate:light-dark(#6f5200,#efd07a);--moderate-ground:light-dark(#fbf4dc,#332b14);
--minor:light-dark(#24567f,#9fcaf5);--minor-ground:light-dark(#eaf3fb,#172a3b);
--unknown:light-dark(#4f5863,#b6bec7);--unknown-ground:light-dark(#eef0f3,#272c32);
--good:light-dark(#17643a,#8bdba8);--good-ground:light-dark(#e7f6ed,#15301f);
--critical-fill:light-dark(#c2182f,#ff8391);--serious-fill:light-dark(#d46a08,#ff9f5c);--moderate-fill:light-dark(#a98a12,#e6c25a);--minor-fill:light-dark(#3a7fbd,#7db8f0);--unknown-fill:light-dark(#7f8a96,#97a1ab);--good-fill:light-dark(#2a8a54,#6fcb92);
--radius:.625rem;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
.wrap{max-width:64rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2rem)}
h1,h2,h3,h4{line-height:1.25;margin:0;text-wrap:balance}
h1{font-size:clamp(1.5rem,1.2rem + 1.6vw,2.125rem);letter-spacing:-.015em}
h2{font-size:1.375rem;letter-spacing:-.01em}
h3{font-size:1.0625rem}
h4{font-size:.9375rem}
p{margin:0}
a{color:var(--link);text-underline-offset:.15em}
code,pre{font-family:var(--mono);font-size:.875em}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:3px}
main:focus{outline:none}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--card);padding:.5rem 1rem;border-radius:0 0 var(--radius) var(--radius);z-index:2}
.skip:focus{top:0}
.page-header{padding-block:2.5rem 1.25rem}
.kicker{color:var(--soft);font-size:.875rem;margin-bottom:.375rem}
.subtitle{color:var(--soft);margin-top:.375rem}
.contents{border-block:1px solid var(--line);background:var(--card);font-size:.9375rem}
.contents ul{display:flex;flex-wrap:wrap;gap:0 1.125rem;list-style:none;margin-block:0;padding-block:.625rem}
.contents a{display:inline-block;padding-block:.25rem;text-decoration:none}
.contents a:hover{text-decoration:underline}
main>section{margin-block:2.75rem}
section>h2{margin-bottom:.75rem}
section>h2:has(+.lead){margin-bottom:.25rem}
.lead{color:var(--soft);max-width:46rem;margin-bottom:1rem}
.page-footer{border-top:1px solid var(--line);margin-top:3rem;padding-block:1.25rem 2.5rem;color:var(--soft);font-size:.875rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:1.125rem 1.25rem}
.verdict{display:flex;gap:1rem;align-items:flex-start;margin-top:1.5rem;padding:1.125rem 1.25rem;border-radius:var(--radius);border:1px solid;border-inline-start-width:6px}
.verdict svg{flex:none;width:2rem;height:2rem;margin-top:.125rem}
.verdict strong{display:block;font-size:1.1875rem;line-height:1.3}
.verdict p{color:var(--ink);margin-top:.125rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(11rem,calc(50% - .4375rem)),1fr));gap:.875rem;margin:0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:.875rem 1.125rem;display:flex;flex-direction:column}
.tile dt{color:var(--soft);font-size:.875rem;order:2}
.tile dd{margin:0}
.tile .value{font-size:1.875rem;font-weight:650;line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums;order:1}
.tile .note{color:var(--soft);font-size:.8125rem;order:3;margin-top:.25rem}
.badge{display:inline-flex;align-items:center;gap:.3125rem;padding:.0625rem .5rem;border-radius:1rem;font-size:.8125rem;font-weight:600;white-space:nowrap;vertical-align:text-bottom}
.badge svg{width:.875rem;height:.875rem;flex:none}
.tone-critical{color:var(--critical);background:var(--critical-ground)}
.tone-serious{color:var(--serious);background:var(--serious-ground)}
.tone-moderate{color:var(--moderate);background:var(--moderate-ground)}
.tone-minor{color:var(--minor);background:var(--minor-ground)}
.tone-unknown{color:var(--unknown);background:var(--unknown-ground)}
.tone-good{color:var(--good);background:var(--good-ground)}
.fill-critical{fill:var(--critical-fill)}.fill-serious{fill:var(--serious-fill)}.fill-moderate{fill:var(--moderate-fill)}
.fill-minor{fill:var(--minor-fill)}.fill-unknown{fill:var(--unknown-fill)}.fill-good{fill:var(--good-fill)}
.bar{display:block;width:100%;height:.75rem;border-radius:.375rem;background:var(--sunken)}
.legend{display:flex;flex-wrap:wrap;gap:.375rem 1.25rem;list-style:none;margin:.75rem 0 0;padding:0;font-size:.875rem}
.legend li{display:inline-flex;align-items:center;gap:.375rem}
.legend b{font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
caption{text-align:start;color:var(--soft);font-size:.875rem;padding-bottom:.5rem}
th,td{text-align:start;vertical-align:top;padding:.5625rem .5rem;border-top:1px solid var(--line)}
thead th{border-top:0;font-size:.8125rem;color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{font-weight:400}
th:first-child,td:first-child{padding-inline-start:0}th:last-child,td:last-child{padding-inline-end:0}
.whole{white-space:nowrap}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
.soft{color:var(--soft)}.small{font-size:.875rem}
.snippet{background:var(--sunken);border:1px solid var(--line);border-radius:.375rem;padding:.625rem .75rem;margin:0;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}
.facts{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.4375rem 1.25rem;margin:0;font-size:.9375rem}
.facts dt{color:var(--soft)}.facts dd{margin:0}
details>summary{cursor:pointer}
button,select{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:.375rem;padding:.375rem .625rem;max-width:100%;min-height:2.25rem}
button{cursor:pointer}
[hidden]{display:none!important}
@media (max-width:40rem){.tile{padding:.75rem .875rem}.card{padding:1rem}.page-header{padding-top:1.5rem}.verdict{padding:1rem;gap:.75rem}.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.5rem}.wide{display:none}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{:root{color-scheme:light;font-size:10pt}body{background:#fff}.wrap{max-width:none;padding-inline:0}.contents,.skip,.screen-only{display:none!important}
.card,.tile,.verdict{break-inside:avoid;box-shadow:none}.verdict,.badge,.bar{print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2,h3,h4{break-after:avoid}.page-header{padding-top:0}main>section{margin-block:1.5rem}.page-footer{margin-top:0;padding-block:.5rem 0;break-before:avoid}
details::details-content{content-visibility:visible!important;display:block!important;height:auto!important}}
@page{margin:16mm 14mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt system-ui,sans-serif;color:#525b66}}
`;
