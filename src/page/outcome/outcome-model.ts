import type { SubmissionState } from '../injected/submission-state.ts';
import type { PageSnapshot } from '../snapshot/page-snapshot.ts';

/** What a site did with what was sent. */
export interface SubmissionOutcome {
  verdict: 'accepted' | 'rejected' | 'unknown';
  /** What is still to be done before the site keeps the submission; empty if that is not known. */
  pending: '' | 'confirmation' | 'e-mail';
  /** What speaks for the verdict or against it, in the order in which it was weighed. */
  evidence: OutcomeEvidence[];
  /** The fields that were refused. */
  fields: RefusedField[];
  /** What the page says that it did not say before, messages first. Untrusted text. */
  words: string[];
}

export type EvidenceKind =
  | 'response'
  | 'response errors'
  | 'no response'
  | 'nothing sent'
  | 'refused field'
  | 'warning'
  | 'message'
  | 'form gone'
  | 'form reset'
  | 'form kept'
  | 'another form'
  | 'sign-in'
  | 'new content'
  | 'no new content'
  | 'words';

export interface OutcomeEvidence {
  kind: EvidenceKind;
  speaksFor: SubmissionOutcome['verdict'];
  /** In words, with texts of the page in quotes. */
  text: string;
}

export interface RefusedField {
  /** Its accessible name, or the name in the site's answer if no control of the page has it. */
  name: string;
  /** What the page or the answer says is wrong with it; empty if it is only marked. */
  text: string;
  /** The id of its control in the snapshot after the action. */
  control: string | null;
}

/** What was known of a page at one moment. */
export interface OutcomeView {
  snapshot: PageSnapshot;
  state: SubmissionState;
}

/** A request that the action caused and that may carry the submission. */
export interface CausedRequest {
  method: string;
  url: string;
  /** 0 without a response. */
  status: number;
  /** The request failed: the connection, not the answer. */
  hasFailed: boolean;
  /** It opened a document in the main frame. */
  opensPage: boolean;
  /** The answer led elsewhere. */
  isRedirected: boolean;
  /** It goes to the host of the page. */
  isOfSite: boolean;
  /** Its body, or for a GET its query. */
  sent: string;
  /** The JSON of the answer, if it is JSON. */
  answer: unknown;
}
