/** Translations of the texts that are on every page. */
export const words = {
  en: {
    site: 'Residents’ Services',
    search: 'Search',
    menu: [
      'Apply',
      'Application status',
      'Appointments',
      'Offices',
      'Support calculator',
      'Forms',
      'News',
      'Help',
      'Contact',
    ],
    welcome: 'Housing support, appointments and forms in one place.',
  },
  de: {
    site: 'Bürgerdienste',
    search: 'Suchen',
    menu: ['Antrag', 'Stand des Antrags', 'Termine', 'Ämter', 'Rechner', 'Formulare', 'Aktuelles', 'Hilfe', 'Kontakt'],
    welcome: 'Wohngeld, Termine und Formulare an einem Ort.',
  },
} as const;
export type Language = keyof typeof words;

export const menuPaths = [
  '/apply',
  '/status',
  '/appointments',
  '/offices',
  '/calculator',
  '/forms',
  '/news',
  '/help',
  '/contact',
];

export const topics = ['housing', 'families', 'opening hours'] as const;

export const news = Array.from({ length: 14 }, (_, index) => ({
  id: 301 + index,
  topic: topics[index % 3] ?? 'housing',
  title: ['New rates for housing support', 'Summer camp for families', 'Closed on Monday'][index % 3] ?? '',
  text: `What changes from week ${20 + index} on, and whom it concerns.`,
}));

export const offices = [
  { name: 'Office North', postcode: '10115' },
  { name: 'Office South', postcode: '12099' },
  { name: 'Office West', postcode: '14050' },
];

export const questions = [
  ['Who can get housing support?', 'Whoever lives here and earns little.'],
  ['How long does it take?', 'Six weeks on average.'],
  ['Can I change my appointment?', 'Yes, until the day before.'],
];

export const documents = [
  { file: 'housing-support.pdf', title: 'Application for housing support (PDF, 120 KB)' },
  { file: 'income-statement.pdf', title: 'Statement of income (PDF, 80 KB)' },
];
