const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE ' +
    'FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP LEGEND LI MAIN MENU NAV OL P PRE SECTION SUMMARY TABLE TBODY TD ' +
    'TFOOT TH THEAD TR UL'
  ).split(' '),
);

/** Whether an element begins a new line by default (WHATWG HTML 15.3). Style sheets may differ. */
export function isBlock(nodeName: string): boolean {
  return BLOCKS.has(nodeName);
}

export function isHeading(nodeName: string): boolean {
  return nodeName.length === 2 && nodeName.charCodeAt(0) === 0x48 && nodeName >= 'H1' && nodeName <= 'H6';
}
