import type { FieldDescription, FieldType, ResourceDescription } from '../schema/types';

/** Kinds that need the width of the page, each under a heading of its own; so does text that may be a paragraph. */
const WIDE: ReadonlySet<FieldType> = new Set(['long_text', 'code', 'json', 'list', 'rows']);
const PARAGRAPH = 1000;

const isWide = ({ type, maxLength = 0 }: FieldDescription) =>
  WIDE.has(type) || (type === 'text' && maxLength >= PARAGRAPH);

/** Said on top of the page, as it answers whether all is right: what last went wrong, and what is to be known. */
const TROUBLE: ReadonlySet<string> = new Set(['last_error', 'warnings', 'notices']);

/** Which fields go where, by their kind alone. Times and the id are context: they stand in the aside. */
export function arrange(resource: ResourceDescription) {
  const limits = new Set(resource.fields.flatMap((field) => field.limit ?? []));
  const inAside = (field: FieldDescription) =>
    field.name === 'id' || (field.readOnly && field.type === 'time');
  const isTrouble = (field: FieldDescription) => TROUBLE.has(field.name) && field.readOnly;
  const shown = resource.fields.filter(
    (field) => field.name !== resource.titleField && !limits.has(field.name) && !isTrouble(field),
  );
  return {
    trouble: resource.fields.filter(isTrouble),
    usage: shown.filter((field) => field.type === 'usage'),
    wide: shown.filter(isWide),
    details: shown.filter(
      (field) => field.type !== 'usage' && field.type !== 'secret' && !isWide(field) && !inAside(field),
    ),
    aside: resource.fields.filter(inAside),
  };
}
