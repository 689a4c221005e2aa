/**
 * Rules of the ledger: the effect of each kind of transaction on a team's accounts. Amounts are integer
 * micro-dollars. Positive on `prepaid` and `credits` is money the team has; the other accounts are its sources
 * and destinations.
 */

export type LedgerKind =
  | 'top_up'
  | 'usage'
  | 'usage_correction'
  | 'credit_grant'
  | 'credit_expiry'
  | 'credit_revocation'
  | 'refund'
  | 'dispute'
  | 'dispute_reversal'
  | 'adjustment'
  | 'write_off'
  | 'order'
  | 'order_refund'
  | 'tax';

export type Account =
  | 'prepaid'
  | 'credits'
  | 'revenue'
  | 'promotion'
  | 'adjustment'
  | 'write_off'
  | 'tax'
  | `cash:${string}`
  | `dispute:${string}`;

export interface LedgerEntry {
  account: Account;
  amount: number;
  /** Public ID of the credit grant; only on `credits`. */
  grant?: string;
}

export type GrantSource = 'promotion' | 'support' | 'welcome';

/** Money with a purpose that may end; `remaining` at the moment of use. */
export interface Grant {
  public_id: string;
  remaining: number;
  /** Null: never. */
  expires_at: Date | null;
}

/** Two entries that move an amount from one account to another; none for an amount of zero. */
export function transfer(from: Account, to: Account, amount: number): LedgerEntry[] {
  if (!Number.isSafeInteger(amount)) throw new RangeError('An amount must be whole micro-dollars.');
  if (amount === 0) return [];
  return [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
}

/** The order in which grants are used: earliest expiry first, then the oldest. */
export function inBurnOrder<G extends Grant & { created_at: Date }>(grants: readonly G[]): G[] {
  const expiry = ({ expires_at }: G) => expires_at?.getTime() ?? Infinity;
  return grants.toSorted((a, b) =>
    expiry(a) === expiry(b)
      ? a.created_at.getTime() - b.created_at.getTime()
      : expiry(a) < expiry(b)
        ? -1
        : 1,
  );
}

/**
 * Splits a charge over grants, in the order given, and the prepaid balance, which may become negative. A grant
 * pays only for usage before its expiry, however late that is booked.
 *
 * @param usedBefore the part of the amount used before a moment; between 0 and `amount`, never falling with
 * time
 */
export function charge(
  amount: number,
  grants: readonly Grant[],
  usedBefore: (moment: Date) => number = () => amount,
): LedgerEntry[] {
  if (amount <= 0) return [];
  const entries: LedgerEntry[] = [];
  let paid = 0;
  for (const { public_id, remaining, expires_at } of grants) {
    const eligible = (expires_at ? usedBefore(expires_at) : amount) - paid;
    const part = Math.min(remaining, eligible);
    if (part <= 0) continue;
    paid += part;
    entries.push({ account: 'credits', amount: -part, grant: public_id });
  }
  if (paid < amount) entries.push({ account: 'prepaid', amount: paid - amount });
  return [...entries, { account: 'revenue', amount }];
}

/**
 * Reverses part of a charge: prepaid money first, then the last used grants. A grant's part returns to that
 * grant even if it has expired: `reopened` names it, and it gets time to be used.
 */
export function giveBack(amount: number, charged: readonly LedgerEntry[]): LedgerEntry[] {
  const sources = charged
    .filter(({ account }) => account === 'prepaid' || account === 'credits')
    .toReversed();
  const entries: LedgerEntry[] = [];
  let left = amount;
  for (const { account, amount: taken, grant } of sources) {
    const part = Math.min(left, -taken);
    if (part <= 0) continue;
    left -= part;
    entries.push({ account, amount: part, ...(grant === undefined ? {} : { grant }) });
  }
  // More than was charged: the rest has no source and is the team's own money.
  if (left > 0) entries.push({ account: 'prepaid', amount: left });
  return [...merged(entries), { account: 'revenue', amount: -amount }];
}

/** The reversible part of a charge. */
export interface Charged {
  amount: number;
  entries: readonly LedgerEntry[];
}

/** Like `giveBack`, over several charges in the order given, each up to its amount. */
export function giveBackOf(amount: number, charges: readonly Charged[]): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  let left = amount;
  for (const charge of charges) {
    const part = Math.min(left, charge.amount);
    if (part <= 0) continue;
    left -= part;
    entries.push(...giveBack(part, charge.entries));
  }
  if (left > 0) entries.push(...giveBack(left, []));
  return merged(entries);
}

/** At most one entry per account and grant; none if they cancel out. */
export function merged(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const found = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = `${entry.account}/${entry.grant ?? ''}`;
    const known = found.get(key);
    found.set(key, known ? { ...known, amount: known.amount + entry.amount } : entry);
  }
  return [...found.values()].filter(({ amount }) => amount !== 0);
}
