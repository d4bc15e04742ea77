/** A word that marks text of pages, repositories and documents, so that it is found in results. */
export const MARKER = 'gnp7';
