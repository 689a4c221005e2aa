import type { Tone } from './status';

export interface Toast {
  tone: Tone;
  title: string;
  message?: string;
  link?: { label: string; href: string };
  /** Merges toasts with the same key into one, titled by their number, instead of piling them up. */
  group?: { key: string; title: (count: number) => string };
  /** Keys of the announced operations. A result replaces the toast that announced their start. */
  operations?: readonly string[];
}

export interface ShownToast extends Toast {
  key: number;
  count: number;
}

/** Maximum toasts on screen; a new one replaces the oldest. */
const MAX_TOASTS = 3;

/**
 * Adds a toast to those on screen. An operation has one toast: its result replaces its progress, whichever arrives
 * first, and keeps the link.
 */
export function withToast(before: readonly ShownToast[], toast: Toast, key: number): ShownToast[] {
  return toast.tone === 'progress' ? withProgress(before, toast, key) : withResult(before, toast, key);
}

function withProgress(before: readonly ShownToast[], toast: Toast, key: number): ShownToast[] {
  const { operations = [], link } = toast;
  const results = before.filter((one) => one.tone !== 'progress' && sharesOperation(one, operations));
  const ended = results.flatMap((one) => one.operations ?? []);
  if (operations.length === 0 || !operations.every((id) => ended.includes(id)))
    return [...before, { ...toast, key, count: 1 }].slice(-MAX_TOASTS);
  return before.map((one) => (link && results.includes(one) ? { ...one, link } : one));
}

function withResult(before: readonly ShownToast[], toast: Toast, key: number): ShownToast[] {
  const { group, operations = [] } = toast;
  const started = before.find((one) => one.tone === 'progress' && sharesOperation(one, operations));
  const rest = before.flatMap((one): ShownToast[] => {
    if (one !== started) return [one];
    const open = (one.operations ?? []).filter((id) => !operations.includes(id));
    return open.length === 0 ? [] : [{ ...one, operations: open }];
  });
  const link = started?.link ?? toast.link;
  const same = rest.find((one) => group !== undefined && one.group?.key === group.key);
  if (!group || !same)
    return [...rest, { ...toast, ...(link ? { link } : {}), key, count: 1 }].slice(-MAX_TOASTS);
  const count = same.count + 1;
  return [
    ...rest.filter((one) => one !== same),
    {
      tone: toast.tone,
      title: group.title(count),
      group,
      operations: [...(same.operations ?? []), ...operations],
      // A link to only one of several would mislead.
      ...(link && link.href === same.link?.href ? { link } : {}),
      key,
      count,
    },
  ];
}

const sharesOperation = (toast: Toast, operations: readonly string[]): boolean =>
  operations.some((id) => toast.operations?.includes(id));
