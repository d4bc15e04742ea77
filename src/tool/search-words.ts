/** English words without meaning for a search, as Lucene, NLTK and other search libraries remove them. */
export const searchStopWords: ReadonlySet<string> = new Set(
  `a about again all also am an and any are as at be been before being both but by can could did do does doing down each
  few for from had has have having he her here hers him his how i if in into is it its itself just me more most my myself
  no nor not now of off on once only or other our ours out over own same she should so some such than that the their
  theirs them then there these they this those through to too under until up very was we were what when where which while
  who whom why will with would you your yours s t d ll m re ve don`.split(/\s+/),
);

/** Endings of English words that a search ignores: "cases" finds "case". */
export const searchWordEnding = /(?<=\w{3})(?:ing|ed|es|e|s)$/;
