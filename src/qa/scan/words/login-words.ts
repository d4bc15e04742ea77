import { anyWordOf, type Vocabulary } from '../../vocabulary.ts';

/** Matches a part of a name, such as `PASS` in `TEST_PASS_1`. */
const partOfName = (vocabulary: Vocabulary) => new RegExp(anyWordOf(vocabulary), 'i');

/** Words in names of secrets, in names of fields and on buttons that say what a login asks for. */
export const loginWords = {
  password: partOfName({ en: /pass(word|phrase)?|pwd|secret_?key$|\bpin\b/, de: /passwort|kennwort/ }),
  userName: partOfName({ en: /user(_?name)?|e-?mail|login|account|_id$/, de: /benutzer/ }),
  /** At the start of the text of a button that leads from the user name to the password. */
  next: new RegExp(
    `^\\W*(${anyWordOf({
      en: /next|continue|proceed|go on/,
      de: /weiter/,
      fr: /suivant|continuer/,
      es: /siguiente|continuar/,
    })})\\b`,
    'i',
  ),
} as const satisfies Record<string, RegExp>;
