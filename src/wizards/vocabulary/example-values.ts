/** A value that a field is likely to accept, by its label. The first row that matches counts. */
export const examplesByLabel: readonly (readonly [language: 'en', label: RegExp, example: string])[] = [
  ['en', /e-?mail/i, 'person@example.org'],
  ['en', /\brate\b|percent|\bgrow/i, '5'],
  ['en', /(?:^|[-–:] ?)year\W*$|yyyy/i, '2030'],
  [
    'en',
    /income|salary|earning|wage|asset|balance|amount|\bcost|price|\bdebt|\brent\b|savings|received|to pay\b/i,
    '10000',
  ],
  ['en', /\byear\W*$/i, '2030'],
  ['en', /\bmonth\W*$|^mm$/i, '05'],
  ['en', /\bday\W*$|^dd$/i, '15'],
  ['en', /\bzip\b|post ?code|postal/i, '62701'],
  ['en', /\bcity\b|\btown\b/i, 'Springfield'],
  ['en', /phone|mobile/i, '555-0100'],
  ['en', /\bage\b/i, '40'],
  ['en', /how many|number of|size|count/i, '2'],
  ['en', /first name|given name/i, 'Alex'],
  ['en', /last name|family name|surname/i, 'Example'],
  ['en', /name/i, 'Alex Example'],
];

export const exampleState = 'Illinois';
