import * as z from 'zod';

const detailFields = z.registry<{ inDetail: true }>();

/**
 * Marks a field of an output schema that a long reply leaves out first: a list of objects then shows more of them. The caller gets
 * it with `detail`, or from the tool for one object.
 *
 *     z.object({ title: z.string(), createdAt: inDetail(z.string()) })
 */
export function inDetail<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  const optional = z.optional(schema);
  detailFields.add(optional, { inDetail: true });
  return optional;
}

/** Marks several fields of a shape with `inDetail`. */
export function withDetailFields<Shape extends z.ZodRawShape, Field extends keyof Shape & string>(
  shape: Shape,
  fields: readonly Field[],
): Omit<Shape, Field> & { [Name in Field]: z.ZodOptional<Shape[Name]> } {
  const marked = Object.entries(shape).map(([name, schema]) => [
    name,
    fields.some((field) => field === name) ? inDetail(schema as z.ZodType) : schema,
  ]);
  return Object.fromEntries(marked);
}

export function isInDetail(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && detailFields.has(schema as z.ZodType);
}
