/** The trace position named by W3C's `traceparent` header (Trace Context, section 3.2). */
interface TraceParent {
  /** 32 hex digits. */
  trace_id: string;
  /** Returns null for anything that the standard tells receivers to ignore. */
  span_id: string;
  is_sampled: boolean;
}

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Returns null for anything that the standard tells receivers to ignore. */
export function parseTraceparent(text: string | null | undefined): TraceParent | null {
  // Later versions may append to the form; this one must not.
  const [, version, trace_id = '', span_id = '', flags = '', more] = FORM.exec(text?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(trace_id) || /^0+$/.test(span_id)) return null;
  return { trace_id, span_id, is_sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ trace_id, span_id, is_sampled }: TraceParent): string =>
  `00-${trace_id}-${span_id}-0${is_sampled ? 1 : 0}`;
