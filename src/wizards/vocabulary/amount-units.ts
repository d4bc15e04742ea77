import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** Units that a text about an amount may name, in lower case and without accents. */

export const periodNouns: Record<string, PhraseTable> = {
  year: [
    ['en', 'years?|annum'],
    ['de', 'jahr'],
    ['fr', 'annee|an'],
    ['es', 'ano'],
    ['it', 'anno'],
    ['nl', 'jaar'],
  ],
  quarter: [
    ['en', 'quarter'],
    ['de', 'quartal'],
    ['fr', 'trimestre'],
    ['nl', 'kwartaal'],
  ],
  month: [
    ['en', 'month'],
    ['de', 'monat'],
    ['fr', 'mois'],
    ['es', 'mes'],
    ['it', 'mese'],
    ['nl', 'maand'],
  ],
  week: [
    ['en', 'week'],
    ['de', 'woche'],
    ['fr', 'semaine'],
    ['es', 'semana'],
    ['it', 'settimana'],
  ],
  day: [
    ['en', 'day'],
    ['de', 'tag'],
    ['fr', 'jour'],
    ['es', 'dia'],
    ['it', 'giorno'],
    ['nl', 'dag'],
  ],
  hour: [
    ['en', 'hour'],
    ['de', 'stunde'],
    ['fr', 'heure'],
    ['es', 'hora'],
    ['it', 'ora'],
    ['nl', 'uur'],
  ],
};

export const periodAdjectives: Record<string, PhraseTable> = {
  year: [
    ['en', 'yearly|annual(?:ly)?'],
    ['de', 'jahrlich\\w*'],
    ['fr', 'annuel(?:le)?'],
    ['es', 'anual|anualmente'],
    ['it', 'annuale'],
    ['nl', 'jaarlijkse?'],
  ],
  quarter: [
    ['en', 'quarterly'],
    ['fr', 'trimestriel(?:le)?'],
    ['es', 'trimestral(?:e)?'],
  ],
  month: [
    ['en', 'monthly'],
    ['de', 'monatlich\\w*'],
    ['fr', 'mensuel(?:le)?'],
    ['es', 'mensual'],
    ['it', 'mensile'],
    ['nl', 'maandelijkse?'],
    ['pt', 'mensal'],
  ],
  week: [
    ['en', 'weekly'],
    ['de', 'wochentlich\\w*'],
    ['fr', 'hebdomadaire'],
    ['es', 'semanal'],
    ['it', 'settimanale'],
    ['nl', 'wekelijkse?'],
  ],
  day: [
    ['en', 'daily'],
    ['de', 'taglich\\w*'],
    ['fr', 'quotidien(?:ne)?'],
    ['es', 'diari[oa]'],
    ['it', 'giornaliero'],
  ],
  hour: [
    ['en', 'hourly'],
    ['de', 'stundlich\\w*'],
    ['fr', 'horaire'],
  ],
};

/** Words before a period that an amount is for: "per month". */
export const perWord: PhraseTable = [
  ['en', 'per|each|every'],
  ['de', 'pro|je|jede[nrs]?'],
  ['fr', 'par|chaque'],
  ['es', 'por|cada'],
  ['it', 'al|ogni'],
  ['nl', 'elke?'],
];

/** Words before a period that may also only mention a time: "last year". */
export const recentWord: PhraseTable = [
  ['en', 'an?|the|this|last|past|previous|current|calendar|tax|fiscal|complete|whole|full'],
];

export const scaleWords: Record<string, PhraseTable> = {
  thousands: [
    ['en', 'in thousands|thousands of'],
    ['de', 'in tausend'],
    ['fr', 'milliers'],
    ['es', 'miles de'],
    ['it', 'migliaia'],
    ['nl', 'duizenden'],
    ['pt', 'milhares'],
  ],
  millions: [
    ['en', 'in millions|millions of'],
    ['de', 'in millionen'],
    ['es', 'millones'],
    ['it', 'milioni'],
    ['nl', 'miljoenen'],
    ['pt', 'milhoes'],
  ],
  cents: [['en', 'in cents?|whole cents']],
};

export const measureWords: Record<string, PhraseTable> = {
  percent: [
    ['en', 'per ?cent|percentages?'],
    ['de', 'prozent'],
    ['fr', 'pour ?cent'],
    ['es', 'por ciento'],
    ['it', 'per cento'],
    ['nl', 'procent'],
    ['pt', 'por cento'],
    ['*', '%'],
  ],
  dollars: [
    ['en', 'dollars?'],
    ['*', 'usd|\\$'],
  ],
  euros: [['*', 'euros?|eur|€']],
  pounds: [
    ['en', 'pounds?|lbs?'],
    ['*', 'gbp|£'],
  ],
  kilograms: [['*', 'kilograms?|kilos?|kg']],
  centimetres: [['*', 'centimet(?:re|er)s?|cm']],
  metres: [['*', 'met(?:re|er)s?']],
  feet: [['en', 'feet|foot|ft']],
  inches: [['en', 'inch(?:es)?']],
};

const money = '(?:income|pay|amount|salary|wages?|earnings)';

export const taxWords: Record<string, PhraseTable> = {
  'before taxes': [
    ['en', `before tax(?:es)?|gross ${money}`],
    ['de', 'brutto'],
    ['fr', 'brut'],
    ['es', 'bruto'],
    ['it', 'lordo'],
  ],
  'after taxes': [
    ['en', `after tax(?:es)?|net ${money}`],
    ['de', 'netto'],
    ['es', 'neto'],
    ['pt', 'liquido'],
  ],
};
