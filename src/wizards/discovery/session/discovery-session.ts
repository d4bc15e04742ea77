import type { Page } from 'playwright-core';
import type { OpenContext } from '../../../platform/browser/browser-pool.ts';
import { type Control, firstHeading, isField, type PageReading } from '../../../platform/page/page-model.ts';
import type { PageEventWatch } from '../../../platform/page/settle/page-events.ts';
import type { WizardPage } from '../../files/wizard-schema.ts';
import type { SentFieldNames } from '../act/sent-field-names.ts';
import type { SelectorType } from '../read-page/selector.ts';
import type { ShownProposal } from '../save/complete-proposal.ts';
import { discoveryError } from './discovery-error.ts';

/** A click of the agent that a run of the wizard may have to repeat. */
export interface RecordedClick {
  description: string;
  selector: string;
  selectorType: SelectorType;
  /** Other selectors of the same element. */
  locators: string[];
  /** Whether it led to another page, or to another step of the same page. */
  hasMoved: boolean;
  /** Whether it closed the overlay around the clicked element, such as a cookie dialog. */
  hasClosedOverlay: boolean;
  /** Number of pages that were saved before it. */
  pagesSaved: number;
}

/** The question whose answer made a field appear, and the answers that did. */
interface RevealedQuestion {
  question: string;
  values: Set<string>;
}

export interface SavedPage {
  page: WizardPage;
  warnings: string[];
  /** A selector matches no element or several, so the page cannot be run as it is. */
  isBroken: boolean;
  /** Identifies the page of the site (`pageKeyOf`). */
  pageKey: string;
  /** The names of its questions, as the page shows them. */
  questions: string[];
  /** The labels of values that it showed before it was filled in. */
  labelsBefore: string[];
  /** Fields whose example is only a proposal: name on the page by field id. */
  guessedExamples: ReadonlyMap<string, string>;
}

/** Questions that a button such as "Add a loan" opens, answered once per entry of a list. */
export interface RowGroup {
  /** The page that it is on (`pageKeyOf`). */
  pageKey: string;
  add: Control;
  save: Control | undefined;
  fields: Control[];
  /** Selector and label of the list that shows the entries; empty if none was found. */
  list: string;
  label: string;
  /** The errors of the page while the row was open. */
  errors: PageReading['errors'];
}

/** A value that was typed into a private field during discovery, and the selectors of the field. */
export interface TypedSecret {
  selectors: string[];
  value: string;
}

/** An open discovery: its browser context, and everything recorded and saved so far. */
export interface DiscoverySession {
  id: string;
  owner: string;
  /** The start address. */
  url: string;
  startedAt: string;
  open: OpenContext;
  watch: PageEventWatch;
  clicks: RecordedClick[];
  pages: Map<number, SavedPage>;
  /** The last proposal for each page number. */
  proposals: Map<number, ShownProposal>;
  /** By the name of the revealed field. */
  reveals: Map<string, RevealedQuestion>;
  /** The visible questions by the name of a choice and its answer. */
  questionsByAnswer: Map<string, Map<string, ReadonlySet<string>>>;
  /** The answers so far by question, used as example values. */
  answers: Map<string, string>;
  /** The names under which the page sends values. */
  sentNames: SentFieldNames;
  /** Values that were typed into private fields. */
  secrets: TypedSecret[];
  /** The lists with added entries. */
  rowGroups: Map<string, RowGroup>;
  partialFile: string | undefined;
}

/** The current page of a session. Throws `browser_error` if it was closed. */
export function sessionPage(session: DiscoverySession): Page {
  const page = session.watch.page();
  if (!page.isClosed()) return page;
  throw discoveryError('browser_error', 'The page of this discovery was closed, or the browser ended.', {
    screenshot: null,
    ...(session.partialFile && { partial_file: session.partialFile }),
  });
}

/** Identifies a page by its address and first heading. Another key is another page. */
export function pageKeyOf(reading: PageReading): string {
  const address = reading.url.replace(/[?].*$/, '');
  // A form in a frame advances while the page around it stays the same.
  const framed = reading.controls.find((control) => isField(control) && control.visible && control.frame.length > 0);
  const inFrame = framed && (framed.form?.action || framed.heading);
  return JSON.stringify([address, firstHeading(reading) ?? reading.title, ...(inFrame ? [inFrame] : [])]);
}
