import type { Page } from 'playwright-core';
import type { OpenContext } from '../../../platform/browser/browser-pool.ts';
import { firstHeading, isField, type PageReading } from '../../../platform/page/page-model.ts';
import type { PageEventWatch } from '../../../platform/page/settle/page-events.ts';
import type { WizardPage } from '../../files/wizard-schema.ts';
import type { SentFieldNames } from '../act/sent-field-names.ts';
import type { RowGroup } from '../propose/row-groups.ts';
import type { SelectorType } from '../read-page/selector.ts';
import type { TypedSecret } from '../read-page/typed-secrets.ts';
import { discoveryError } from './discovery-error.ts';

/** A click that the agent made, as the wizard may have to make it again. */
export interface RecordedClick {
  description: string;
  selector: string;
  selectorType: SelectorType;
  /** Other ways to the same element. */
  locators: string[];
  /** It led to another page, or to another step of the same one. */
  hasMoved: boolean;
  /** It took away what lay over the page and held what was clicked, such as a question about cookies. */
  hasClosedOverlay: boolean;
  /** How many pages were saved before it. */
  pagesSaved: number;
}

/** What an answer made appear: the name of the field that was answered, and with what, one way or the other. */
interface RevealedQuestion {
  question: string;
  values: Set<string>;
}

export interface SavedPage {
  page: WizardPage;
  warnings: string[];
  /** Something on it leads nowhere, or to several elements: it cannot be run as it is. */
  isBroken: boolean;
  /** Which page of the site it is (`placeOf`). */
  pageKey: string;
  /** What it asks, in the page's own words. */
  questions: string[];
  /** The labels of what it said, beside its questions, before it was filled in. */
  labelsBefore: string[];
  /** The fields whose example is only what was proposed, by id, and how the page calls them. */
  guessedExamples: ReadonlyMap<string, string>;
}

/** One discovery under way: a browser of its own, and all that was seen and saved. */
export interface DiscoverySession {
  id: string;
  owner: string;
  /** The address that it began with. */
  url: string;
  startedAt: string;
  open: OpenContext;
  watch: PageEventWatch;
  clicks: RecordedClick[];
  pages: Map<number, SavedPage>;
  /** By the name of the field that appeared. */
  reveals: Map<string, RevealedQuestion>;
  /** By the name of a choice, and what was chosen: what the page asked then. */
  questionsByAnswer: Map<string, Map<string, ReadonlySet<string>>>;
  /** The questions that were answered so far, with the answers, for example values. */
  answers: Map<string, string>;
  /** How the page calls what it sends. */
  sentNames: SentFieldNames;
  /** What was typed into private fields. */
  secrets: TypedSecret[];
  /** The lists that entries are added to. */
  rowGroups: Map<string, RowGroup>;
  partialFile: string | undefined;
}

export function sessionPage(session: DiscoverySession): Page {
  const page = session.watch.page();
  if (!page.isClosed()) return page;
  throw discoveryError('browser_error', 'The page of this discovery was closed, or the browser was lost.', {
    screenshot: null,
    ...(session.partialFile && { partial_file: session.partialFile }),
  });
}

/** What a person would call the place: the address and the topmost heading. Another place is another page. */
export function pageKeyOf(reading: PageReading): string {
  const address = reading.url.replace(/[?].*$/, '');
  // A form in a frame goes on while the page around it stays.
  const framed = reading.controls.find((control) => isField(control) && control.visible && control.frame.length > 0);
  const inFrame = framed && (framed.form?.action || framed.heading);
  return JSON.stringify([address, firstHeading(reading) ?? reading.title, ...(inFrame ? [inFrame] : [])]);
}
