import { anyWordOf } from '../vocabulary.ts';

/** A user story: a role and what it wants. */
export const storySentence = new RegExp(
  anyWordOf({
    en: /\bas an?\b.{2,80}?[,\s]\s*(?:I|we)\s+(?:want|need|would like|wish|can|should|must|am able)\b/,
    de: /\bals\b.{2,80}?\s(?:möchten?|will|wollen|brauchen?|kann|können)\s+(?:ich|wir)\b/,
    fr: /\ben tant qu.{2,80}?[,\s]\s*(?:je|nous)\s+(?:veux|voulons|voudrais|souhaite|souhaitons|peux|dois)\b/,
    es: /\bcomo\b.{2,80}?[,\s]\s*(?:yo\s+)?(?:quiero|queremos|deseo|necesito|puedo)\b/,
  }),
  'i',
);

/** Verbs that make a sentence an obligation. */
export const obligationWords = new RegExp(
  `\\b(?:${anyWordOf({
    en: /shall|must|should|has to|have to|needs? to|is required to|are required to/,
    de: /muss|muß|müssen|soll|sollen|sollten?/,
    fr: /doit|doivent|devra|devront|devrait/,
    es: /debe|deben|deberá|deberán|debería/,
  })})(?![\\p{L}\\d])`,
  'iu',
);

/** Who or what acts in a sentence about behaviour. */
export const actorWords = new RegExp(
  `\\b(?:${anyWordOf({
    en: /users?|visitors?|customers?|guests?|members?|admins?|administrators?|editors?|applicants?|employees?|people|everyone|system|application|app|site|website|page|form|cart|dashboard|log ?in|sign ?in|sign ?up|checkout|search/,
  })})\\b`,
  'i',
);

/** What is done in a sentence about behaviour. */
export const behaviourWords = new RegExp(
  `\\b(?:${anyWordOf({
    en: /can|may|will|cannot|sees?|shows?|displays?|receives?|gets?|lands?|redirects?|returns?|sends?|opens?|is (?:shown|sent|redirected|asked|told|logged|taken|displayed)|are (?:shown|sent|redirected|asked|told|logged|taken|displayed)/,
  })})\\b`,
  'i',
);

/** First words of the steps of a Gherkin scenario, and its title line. */
export const scenarioStep = /^(?:given|when|then|and|but)\b/i;
export const scenarioTitle = /^(?:scenario(?: outline)?|example)\s*:\s*(.*)$/i;

/** Headings above lists of acceptance criteria. */
export const criteriaHeading = new RegExp(
  anyWordOf({
    en: /acceptance criteria|definition of done|acceptance tests?/,
    de: /akzeptanzkriteri/,
    fr: /critères d.acceptation/,
    es: /criterios de aceptación/,
  }),
  'i',
);

/** Headings above lists whose items are requirements. */
export const requirementsHeading = new RegExp(
  anyWordOf({
    en: /requirements?|features?|functionality|user stories|business rules|user flows?|scope/,
    de: /anforderung|funktionen/,
    fr: /exigences|fonctionnalités/,
    es: /requisitos|funcionalidades/,
  }),
  'i',
);
