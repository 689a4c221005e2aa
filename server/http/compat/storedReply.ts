import { z, type ZodType } from 'zod';

const lenient = new WeakMap<ZodType, ZodType>();

/**
 * Returns a reply schema for bodies that an earlier release stored: a field it didn't have yet is null where the schema
 * allows null, otherwise absent. All else is checked and stripped as usual.
 */
export function schemaOfStored(schema: ZodType): ZodType {
  const known = lenient.get(schema);
  if (known) return known;
  const made = relax(schema);
  lenient.set(schema, made);
  return made;
}

function relax(schema: ZodType): ZodType {
  if (schema instanceof z.ZodObject)
    return z.object(
      Object.fromEntries(
        Object.entries(schema.shape as Record<string, ZodType>).map(([key, field]) => [
          key,
          relaxField(field),
        ]),
      ),
    );
  if (schema instanceof z.ZodArray) return z.array(schemaOfStored(schema.element as ZodType));
  if (schema instanceof z.ZodNullable) return schemaOfStored(schema.unwrap() as ZodType).nullable();
  if (schema instanceof z.ZodIntersection)
    return z.intersection(
      schemaOfStored(schema.def.left as ZodType),
      schemaOfStored(schema.def.right as ZodType),
    );
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as ZodType[];
    // With all fields optional, the first of several objects would accept the others.
    if (options.filter((option) => option instanceof z.ZodObject).length > 1) return schema;
    return z.union(options.map(schemaOfStored));
  }
  return schema;
}

function relaxField(field: ZodType): ZodType {
  if (field instanceof z.ZodOptional) return schemaOfStored(field.unwrap() as ZodType).optional();
  const relaxed = schemaOfStored(field);
  return field.safeParse(null).success ? relaxed.default(null) : relaxed.optional();
}
