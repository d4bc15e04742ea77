// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result
type Data = any;
type Call = (args: Record<string, unknown>) => Promise<Data>;

/** Calls a tool as often as a reply that was cut says, and joins the parts. */
export async function readLongReply(call: Call, args: Record<string, unknown>): Promise<Data> {
  const first = await call(args);
  if (!first?.shortened) return first;
  const [, asked] = /Pass (detail|full) true/.exec(first.shortened.next ?? '') ?? [];
  const given = asked ? { ...args, [asked]: true } : args;
  const whole = asked ? await call(given) : first;
  const limit = typeof args['limit'] === 'number' ? args['limit'] : Number.POSITIVE_INFINITY;
  for (let part = whole; part.shortened?.nextOffset !== undefined && part.shortened.nextOffset < limit; ) {
    const { lists, nextOffset } = part.shortened;
    part = await call({
      ...given,
      offset: nextOffset,
      ...(args['limit'] !== undefined && { limit: limit - nextOffset }),
    });
    for (const path of Object.keys(lists)) joinList(whole, part, path.split('.'));
  }
  if (whole.shortened?.nextPage) await joinPages(call, given, whole);
  if (Array.isArray(whole.results)) whole.returned_results = whole.results.length;
  delete whole.shortened;
  return whole;
}

function joinList(whole: Data, part: Data, [key = '', ...rest]: string[]): void {
  if (rest.length > 0) joinList(whole[key], part[key], rest);
  else if (Array.isArray(whole[key])) whole[key].push(...part[key]);
  else Object.assign(whole[key], part[key]);
}

/** Reads a page of a list in smaller pages. */
async function joinPages(call: Call, args: Record<string, unknown>, whole: Data): Promise<void> {
  const { pageSize } = whole.shortened.nextPage;
  const begin = (whole.page - 1) * whole.pageSize;
  const end = Math.min(begin + whole.pageSize, whole.totalCount);
  const entries: Data[] = whole.data.slice(0, pageSize);
  while (begin + entries.length < end) {
    const page = (begin + entries.length) / pageSize + 1;
    entries.push(...(await readLongReply(call, { ...args, page, pageSize })).data);
  }
  whole.data = entries.slice(0, whole.pageSize);
}
