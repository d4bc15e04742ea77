import * as z from 'zod';

export interface PageRequest {
  page: number;
  pageSize: number;
}

export interface ResultPage<Item> extends PageRequest {
  data: Item[];
  totalCount: number;
  totalPages: number;
  hasMore: boolean;
}

/** The arguments of every paginated list. A page past the end is empty. */
export const pageArguments = {
  page: z.number().int().min(1).max(1_000_000).default(1).describe('Page number'),
  pageSize: z.number().int().min(1).max(100).default(20).describe('Items per page'),
};

export function pageShape<Shape extends z.ZodType>(item: Shape) {
  return {
    data: z.array(item),
    page: z.number(),
    pageSize: z.number(),
    totalCount: z.number(),
    totalPages: z.number(),
    hasMore: z.boolean(),
  };
}

export function createPage<Item>(data: Item[], totalCount: number, { page, pageSize }: PageRequest): ResultPage<Item> {
  const totalPages = Math.ceil(totalCount / pageSize);
  return { data, page, pageSize, totalCount, totalPages, hasMore: page < totalPages };
}

/** Maps the items of a page. */
export function mapPage<Item, Other>(page: ResultPage<Item>, change: (item: Item) => Other): ResultPage<Other> {
  return { ...page, data: page.data.map(change) };
}
