import type { UseCaseClass } from '../use-case-classes.ts';

/** Words by which requirements ask for a use case class, with the language that they are in. */
export const requirementWords: readonly { class: UseCaseClass; language: 'en'; words: RegExp }[] = [
  {
    class: 'login',
    language: 'en',
    words: /\b(log(s|ged|ging)? ?in|sign(s|ed|ing)? ?in|authenticat\w+|credentials)\b/i,
  },
  { class: 'logout', language: 'en', words: /\b(log(s|ged|ging)? ?out|sign(s|ed|ing)? ?out)\b/i },
  {
    class: 'sign-up',
    language: 'en',
    words: /\b(sign(s|ing)? ?up|registers?|registration|creat\w+ (an? |their |new )?accounts?)\b/i,
  },
  {
    class: 'reset-password',
    language: 'en',
    words: /\b(forg[eo]t\w*|reset\w*|recover\w*)\b.*\bpasswords?\b|\bpassword reset\b/i,
  },
  { class: 'change-password', language: 'en', words: /\bchang\w+ (the |their |a )?passwords?\b/i },
  {
    class: 'search',
    language: 'en',
    words: /\b(search\w*|find(s|ing)? (a |an |the )?(product|page|customer|office)s?|look(s|ing)? up)\b/i,
  },
  { class: 'filter', language: 'en', words: /\b(filter\w*|narrow\w*|facets?)\b/i },
  { class: 'sort', language: 'en', words: /\bsort(s|ed|ing)?\b/i },
  { class: 'pagination', language: 'en', words: /\b(paginat\w+|paging|next page|pages? through)\b/i },
  { class: 'add-to-cart', language: 'en', words: /\b(add\w*|put\w*)\b.*\b(cart|basket|bag)\b/i },
  { class: 'cart', language: 'en', words: /\b(cart|basket)\b/i },
  { class: 'voucher', language: 'en', words: /\b(vouchers?|coupons?|promo\w*|discount codes?)\b/i },
  { class: 'checkout', language: 'en', words: /\b(check ?out|purchas\w+|plac\w+ (an )?orders?|payments?)\b/i },
  { class: 'create', language: 'en', words: /\b(create|creates|creating|add(s|ing)? (a |an |new )|invite)\b/i },
  {
    class: 'edit',
    language: 'en',
    words: /\b(edit\w*|modif\w+|update(s|d)? (a |an |the )?(record|customer|entry|user|role)s?)\b/i,
  },
  { class: 'delete', language: 'en', words: /\b(delet\w+|remov\w+)\b/i },
  { class: 'upload', language: 'en', words: /\b(upload\w*|import\w*)\b/i },
  { class: 'download', language: 'en', words: /\b(download\w*|export\w*)\b/i },
  { class: 'settings', language: 'en', words: /\b(settings|preferences|profiles?)\b/i },
  { class: 'contact', language: 'en', words: /\b(contact( form| us)?|enquir\w+|inquir\w+|send\w* (a )?messages?)\b/i },
  { class: 'newsletter', language: 'en', words: /\b(newsletters?|subscri\w+)\b/i },
  { class: 'feedback', language: 'en', words: /\b(feedback|reviews?|ratings?)\b/i },
  {
    class: 'booking',
    language: 'en',
    words: /\b((?<!\b(guest|visitors['’]?|address|phone|photo) )book(s|ing)?|appointments?|reserv\w+)\b/i,
  },
  { class: 'track', language: 'en', words: /\b(track\w*|status of)\b/i },
  { class: 'calculator', language: 'en', words: /\b(calculat\w+|estimat\w+)\b/i },
  {
    class: 'wizard',
    language: 'en',
    words: /\b(wizards?|multi-?step|step by step|appl(y|ies|ying) for|application form)\b/i,
  },
  { class: 'language', language: 'en', words: /\b(languages?|translat\w+|locali[sz]\w+)\b/i },
  { class: 'consent', language: 'en', words: /\bcookies?\b/i },
  { class: 'faq', language: 'en', words: /\b(faqs?|frequent\w* .*questions?)\b/i },
  { class: 'dashboard', language: 'en', words: /\b(dashboards?|key figures|overview)\b/i },
  { class: 'navigation', language: 'en', words: /\b(navigat\w+|main menu)\b/i },
];

/** Words that say nothing about what is required. */
export const requirementStopWords: ReadonlySet<string> = new Set(
  'the a an and or of to in on for with from by as is are be can may must shall should will would user users visitor customer customers site website page pages test tests testing check verify validate discover find explore flow flows all main every each this that it its their they when then given after before e-commerce ecommerce app application system feature features function functions functionality work works working please look see into including such not have has get gets make makes want wants able'.split(
    ' ',
  ),
);

/** Endings of English words that do not matter for a comparison: "bookings" is "book". */
export const requirementWordEnding = /(ing|ings|ed|es|s)$/;

/** Where one requirement of a free text ends and the next begins. */
export const clauseBoundary = /[,;.\n•]|\band\b|\bund\b/i;
