import type { GpuWait } from '../../../../generated/api/types.gen';

const TEXTS = {
  quota:
    'Your team is passed over for now: its quota doesn’t allow this size. Delete a CVM, or ask an administrator for a larger quota.',
  funds:
    'Your team is passed over for now: it can’t pay for the first hour, or its budget or a debt prevents new CVMs. See the billing page.',
} as const;

/** Returns why the team of a waiting member gets no offers now; null if it does. */
export const blockedText = ({ blocked_by }: Pick<GpuWait, 'blocked_by'>): string | null =>
  blocked_by === null ? null : TEXTS[blocked_by];
