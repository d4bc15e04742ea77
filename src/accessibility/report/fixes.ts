import type { Rule } from './model.ts';

/** What to do about the rules that sites break most, in plain words; axe's own page on each has the details. */
const fixes: Record<string, string> = {
  'area-alt': 'Give each area of the image map an alt text that says where it leads.',
  'aria-allowed-attr': 'Take away the ARIA attributes that this role does not have, or use the role that has them.',
  'aria-hidden-focus': 'Take what is inside aria-hidden out of the tab order, or do not hide it.',
  'aria-input-field-name': 'Name the field: with a label, aria-labelledby or aria-label.',
  'aria-required-children': 'Put the elements inside that this role needs, or use another role.',
  'aria-required-parent': 'Put the element inside the role that it belongs to, or use another role.',
  'aria-valid-attr-value': 'Correct the value of the ARIA attribute; ids that it points to must exist.',
  'button-name': 'Give the button a text. For a button with only an icon: aria-label, or text that is visually hidden.',
  bypass: 'Offer a skip link, landmarks or headings, so that people can pass over what repeats on each page.',
  'color-contrast':
    'Make the text darker or its background lighter (or the other way round): at least 4.5 to 1, large text 3 to 1.',
  'document-title': 'Give the page a title that says what it is about.',
  'duplicate-id-aria': 'Make the id unique: labels and ARIA attributes point to it.',
  'empty-heading': 'Give the heading a text, or take it away.',
  'form-field-multiple-labels': 'Keep one label for the field.',
  'frame-title': 'Give the frame a title that says what is in it.',
  'heading-order': 'Go down one heading level at a time: after h2 comes h3, not h4.',
  'html-has-lang': 'Say the language of the page: lang on the html element.',
  'html-lang-valid': 'Use a language tag that exists, such as en or mi.',
  'image-alt': 'Give the image an alt text that says what it shows; an empty alt if it is only decoration.',
  'input-button-name': 'Give the button a value or an aria-label that says what it does.',
  'input-image-alt': 'Give the image button an alt text that says what it does.',
  label: 'Join a label to the field: with for and id, or by putting the field inside the label.',
  'landmark-one-main': 'Put the content of the page into one main element.',
  'link-in-text-block': 'Make links in text different by more than colour: underline them.',
  'link-name': 'Give the link a text. For a link with only a picture: alt text on the picture, or aria-label.',
  list: 'Put only li (and script or template) directly into ul and ol.',
  listitem: 'Put li into ul or ol.',
  'meta-refresh': 'Do not reload or redirect by itself; let people decide.',
  'meta-viewport': 'Let people zoom: no user-scalable=no, and no maximum-scale below 2.',
  'nested-interactive': 'Do not put links, buttons or fields inside one another.',
  'page-has-heading-one': 'Give the page one h1 that says what it is about.',
  reflow: 'Let the content fit a window of 320 pixels: no fixed widths, and let long words and tables wrap.',
  region: 'Put all content into landmarks: header, nav, main, footer.',
  'scrollable-region-focusable':
    'Make the scrolling area reachable by keyboard: tabindex="0", or something focusable in it.',
  'select-name': 'Join a label to the select.',
  'svg-img-alt': 'Give the drawing a title or an aria-label that says what it shows.',
  'target-size': 'Make targets at least 24 by 24 pixels, or leave that much room around them.',
  'td-headers-attr': 'Let headers name only cells of the same table.',
  'th-has-data-cells': 'Make each header cell head some cells, or make it an ordinary cell.',
  'valid-lang': 'Use a language tag that exists on elements that are in another language.',
  'video-caption': 'Add captions to the video.',
  'focus-indicator':
    'Show where the focus is: do not take the outline away without putting something visible in its place.',
};

export function fixOf(rule: Rule): string | undefined {
  return Object.hasOwn(fixes, rule.rule_id) ? fixes[rule.rule_id] : undefined;
}
