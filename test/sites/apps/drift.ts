/** Changes of a page that break no behaviour, as in a new release. */
export const drifts = ['ids', 'classes', 'order', 'labels', 'containers'] as const;
export type Drift = (typeof drifts)[number];

/** Synonyms. */
const otherWords: Record<string, string> = {
  'Log in': 'Sign in',
  'Log out': 'Sign out',
  'Email address': 'Your email',
  Email: 'Your email',
  Password: 'Your password',
  Search: 'Find',
  'Add to cart': 'Add to basket',
  'Create account': 'Register',
  'Save changes': 'Save',
  'Send message': 'Send your message',
  Subscribe: 'Sign up for news',
  'Full name': 'Your name',
  'Apply filters': 'Show results',
  'Create customer': 'Add this customer',
  'New customer': 'Add customer',
  Delete: 'Remove',
  Continue: 'Next',
  'Place order': 'Buy now',
  Message: 'Your message',
  'Company name': 'Name of the company',
  'Check status': 'Show status',
};

const changes: Record<Drift, (page: string) => string> = {
  ids: (page) =>
    page.replace(/ (id|for|aria-labelledby|aria-describedby|list|form)="([a-z][\w -]*)"/g, (_, name, value: string) => {
      const renamed = value.split(' ').map((id) => `x-${id}-2`);
      return ` ${name}="${renamed.join(' ')}"`;
    }),
  classes: (page) =>
    page.replace(/ class="([^"]+)"/g, (_, names: string) => ` class="${names.split(' ').map(scrambled).join(' ')}"`),
  order: (page) =>
    page.replace(/(?:<!--field-->[\s\S]*?<!--\/field-->\s*)+/g, (run) => fieldsIn(run).reverse().join('')),
  labels: (page) =>
    page.replace(/>(\s*)([A-Z][\w ]*?)(\s*)</g, (whole, before: string, words: string, after: string) => {
      const other = otherWords[words];
      return other === undefined ? whole : `>${before}${other}${after}<`;
    }),
  containers: (page) =>
    page
      .replace(/<main([^>]*)>/g, '<div data-shell><main$1><div data-inner>')
      .replace(/<\/main>/g, '</div></main></div>')
      .replace(/<!--field-->([\s\S]*?)<!--\/field-->/g, '<!--field--><div data-wrap>$1</div><!--/field-->'),
};

export function applyDrift(page: string, wanted: readonly Drift[]): string {
  return wanted.reduce((changed, drift) => changes[drift](changed), page);
}

function fieldsIn(run: string): string[] {
  return [...run.matchAll(/<!--field-->[\s\S]*?<!--\/field-->/g)].map(([block]) => block);
}

function scrambled(name: string): string {
  return `c${[...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99991, 7)}`;
}
