import * as z from 'zod';
import { type CutReply, fitReply, type ReplyLimits } from './fit-reply.ts';

/** 1,500 and 5,000 tokens of about four bytes. */
const MOST_BYTES = 6_000;
const MOST_BYTES_IN_DETAIL = 20_000;

/** How a caller gets more of a tool's reply, when it is too long for one. */
export interface LongReply {
  /** Adds the argument `offset`, which skips entries of the lists. For tools that may be called again. */
  offset?: boolean;
  /** Adds the argument `detail`, which allows 5,000 tokens and keeps all fields; or the tool's own argument for it. */
  detail?: true | 'full';
  /** What to do instead: where the rest is. */
  rest?: string;
  /**
   * Fields of the result that count entries of a list: `total` those beyond a limit of the tool too, `shown` those in the reply,
   * `leftOut` those that follow them.
   */
  lists?: Record<string, { total?: string; shown?: string; leftOut?: string }>;
}

const offsetArgument = z.number().int().min(0).optional().describe('Entries to skip');
const detailArgument = z.boolean().optional().describe('Allow 5,000 tokens');

/** Whether a reply with this data is cut even with `detail`. */
export function isCutInDetail(data: object): boolean {
  return fitReply(data, undefined, { mostBytes: MOST_BYTES_IN_DETAIL, offset: 0, keepsDetail: true }).cut !== undefined;
}

/** The arguments of the tool, and those that long replies add. */
export function withReplyArguments(input: z.ZodObject, { offset, detail }: LongReply): z.ZodObject {
  return input.extend({
    ...(offset && { offset: offsetArgument }),
    ...(detail === true && { detail: detailArgument }),
  });
}

/** Every result may have it; see `shortenReply`. */
export const shortenedField = z
  .looseObject({})
  .optional()
  .describe('Entries and fields that are left out of this reply, and how to get them');

export interface ReplyRequest {
  offset: number;
  inDetail: boolean;
  /** The page of a list with pages. */
  page?: { page: number; pageSize: number };
  /** For callers that are programs: no limit. */
  isWhole: boolean;
}

/** Splits the arguments of a call into those of the tool and those about its reply. */
export function readReplyRequest(
  args: Record<string, unknown>,
  { offset, detail }: LongReply,
  isWhole: boolean,
): { own: Record<string, unknown>; request: ReplyRequest } {
  const { offset: skipped, detail: asked, ...own } = args;
  const inDetail = detail === 'full' ? args['full'] === true : asked === true;
  const { page, pageSize } = own;
  return {
    own,
    request: {
      offset: offset && typeof skipped === 'number' ? skipped : 0,
      inDetail,
      isWhole,
      ...(typeof page === 'number' && typeof pageSize === 'number' && { page: { page, pageSize } }),
    },
  };
}

/** Cuts a result to 1,500 tokens, or to 5,000 with `detail`, and says in `shortened` what is missing and how to get it. */
export function shortenReply<Data extends Record<string, unknown>>(
  data: Data,
  schema: z.ZodObject,
  request: ReplyRequest,
  how: LongReply,
): Data {
  const mostBytes = request.isWhole ? Number.POSITIVE_INFINITY : request.inDetail ? MOST_BYTES_IN_DETAIL : MOST_BYTES;
  const limits: ReplyLimits = { mostBytes, offset: request.offset, keepsDetail: request.inDetail || request.isWhole };
  const { data: fitted, cut } = fitReply(data, schema, limits);
  if (!cut) return data;
  const counted = { ...fitted, ...countEntries(fitted, cut, how) };
  if (request.isWhole) return counted;
  return { ...counted, shortened: describeCut(cut, fitted, request, how) };
}

function countEntries(data: Record<string, unknown>, cut: CutReply, { lists = {} }: LongReply): Record<string, number> {
  const counts = Object.entries(lists).flatMap(([list, { shown: shownField, leftOut }]): [string, number][] => {
    const { skipped = 0, shown = 0, total = 0 } = cut.lists[list] ?? {};
    const before = data[leftOut ?? ''];
    return [
      ...(shownField !== undefined && list in cut.lists ? [[shownField, shown] as [string, number]] : []),
      ...(leftOut !== undefined && typeof before === 'number'
        ? [[leftOut, before + total - skipped - shown] as [string, number]]
        : []),
    ];
  });
  return Object.fromEntries(counts);
}

/**
 * Describes to a caller how a reply was cut.
 * @example { lists: { results: '1-12 of 4000' }, nextOffset: 12, next: 'Pass offset 12 for the next entries.' }
 */
function describeCut(
  { lists }: CutReply,
  data: Record<string, unknown>,
  { inDetail, page }: ReplyRequest,
  { offset, detail, rest, lists: about = {} }: LongReply,
): Record<string, unknown> {
  const ranges = Object.entries(lists).map(([path, { skipped, shown, total }]) => {
    const stated = data[about[path]?.total ?? ''];
    const all = typeof stated === 'number' ? Math.max(stated, total) : total;
    return { path, skipped, end: skipped + shown, all, hasMore: skipped + shown < total, isEmpty: shown === 0 };
  });
  const unfinished = ranges.filter(({ hasMore }) => hasMore);
  const nextOffset = offset && unfinished.length > 0 ? Math.max(...unfinished.map(({ end }) => end)) : undefined;
  const nextPage = page && !offset && unfinished[0] ? continuePage(page, unfinished[0].end) : undefined;
  const steps = [
    ...(nextPage ? [`Pass pageSize ${nextPage.pageSize} and page ${nextPage.page} for the next entries.`] : []),
    ...(nextOffset === undefined ? [] : [`Pass offset ${nextOffset} for the next entries.`]),
    ...(detail && !inDetail
      ? [`Pass ${detail === 'full' ? detail : 'detail'} true for all fields and up to 5,000 tokens.`]
      : []),
    ...(rest ? [rest] : []),
  ];
  return {
    ...(ranges.length > 0 && {
      lists: Object.fromEntries(
        ranges.map(({ path, skipped, end, all, isEmpty }) => [
          path,
          isEmpty ? `none of ${all}` : `${skipped + 1}-${end} of ${all}`,
        ]),
      ),
    }),
    ...(nextOffset !== undefined && { nextOffset }),
    ...(nextPage && { nextPage }),
    ...(steps.length > 0 && { next: steps.join(' ') }),
  };
}

/** The page that follows the entries which were shown of a page, in smaller pages that begin where that one did. */
function continuePage({ page, pageSize }: { page: number; pageSize: number }, shown: number) {
  const skipped = (page - 1) * pageSize;
  let size = shown;
  while (skipped % size !== 0) size--;
  return { page: skipped / size + 2, pageSize: size };
}

/** Details of a failure are short: the message has the most important ones. */
export function shortenDetails(details: Record<string, unknown>, mostBytes: number): Record<string, unknown> {
  return fitReply(details, undefined, { mostBytes, offset: 0, keepsDetail: false }).data;
}
