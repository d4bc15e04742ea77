/** A proposal for a page, and what replies have shown of it. */
export interface ShownProposal {
  proposed: object;
  replies: Shown[];
}

/** What a reply has shown of a value: all of it, or a cut version. Lists may lack their first entries. */
interface Shown {
  value: unknown;
  skipped: number;
}

/** The newest replies for a page; a caller that reads a long proposal in parts needs several. */
const MOST_REPLIES = 20;
/** What identifies a field, an option or a part of a group, when the caller has changed the rest. */
const IDENTITIES = ['field_id', 'value', 'selector'];

/** Adds a reply to those of the same page. A page with another title or address is another one. */
export function addReply(earlier: ShownProposal | undefined, proposed: object, reply: Shown): ShownProposal {
  const isSame = ['page_title', 'url_pattern'].every((key) => partOf(earlier?.proposed, key) === partOf(proposed, key));
  const replies = [...(isSame ? (earlier?.replies ?? []) : []), reply];
  return { proposed, replies: replies.slice(-MOST_REPLIES) };
}

/**
 * Puts back into metadata what replies have cut from the proposal: the rest of texts, and entries of lists that no reply has shown.
 * What the caller has changed stays, and an entry that a reply has shown stays removed.
 *
 * @returns the metadata, and the labels of the fields that were added
 */
export function completeProposal(
  metadata: unknown,
  { proposed, replies }: ShownProposal,
): { metadata: unknown; added: string[] } {
  const completed = complete(metadata, proposed, replies);
  const before = new Set(fieldsOf(proposed));
  const added = fieldsOf(completed).filter((field) => before.has(field));
  return { metadata: completed, added: added.map((field) => String(partOf(field, 'label'))) };
}

const fieldsOf = (page: unknown): unknown[] => {
  const fields = partOf(page, 'fields');
  return Array.isArray(fields) ? fields : [];
};

function complete(given: unknown, whole: unknown, shown: readonly Shown[]): unknown {
  if (whole === undefined || shown.length === 0) return given;
  if (Array.isArray(given)) return Array.isArray(whole) ? completeList(given, whole, shown) : given;
  if (typeof given !== 'object' || given === null) return shown.some(({ value }) => value === given) ? whole : given;
  const entries = Object.entries(given).map(([key, value]) => {
    const below = shown.map((reply) => ({ ...reply, value: partOf(reply.value, key) }));
    const known = below.filter((reply) => reply.value !== undefined);
    return [key, complete(value, partOf(whole, key), known)];
  });
  return Object.fromEntries(entries);
}

function completeList(given: readonly unknown[], whole: readonly unknown[], shown: readonly Shown[]): unknown[] {
  const replies = whole.map((_, index) =>
    shown.flatMap(({ value, skipped }) => {
      const version = Array.isArray(value) ? value[index - skipped] : undefined;
      return version === undefined ? [] : [{ value: version, skipped: 0 }];
    }),
  );
  const positions = given.map((entry) =>
    whole.findIndex((one, index) => isSame(entry, [one, ...(replies[index] ?? []).map(({ value }) => value)])),
  );
  const completed = given.map((entry, at) => {
    const index = positions[at] ?? -1;
    return complete(entry, whole[index], replies[index] ?? []);
  });
  for (const [index, entry] of whole.entries()) {
    if (positions.includes(index) || (replies[index] ?? []).length > 0) continue;
    const before = positions.indexOf(index - 1);
    const at = before >= 0 ? before + 1 : completed.length;
    completed.splice(at, 0, entry);
    positions.splice(at, 0, index);
  }
  return completed;
}

/** Whether an entry from the caller is one of these versions of an entry. */
function isSame(entry: unknown, versions: readonly unknown[]): boolean {
  if (typeof entry !== 'object' || entry === null) return versions.includes(entry);
  return IDENTITIES.some((key) => {
    const id = partOf(entry, key);
    return (
      id !== undefined && versions.some((version) => partOf(version, key) === id || isSelectorOf(version, key, id))
    );
  });
}

function isSelectorOf(version: unknown, key: string, selector: unknown): boolean {
  const locators = partOf(version, 'locators');
  return key === 'selector' && Array.isArray(locators) && locators.includes(selector);
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
