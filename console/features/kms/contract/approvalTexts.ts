import type { Approval } from '../../../../generated/api/types.gen';

const NAMES: Readonly<Record<Approval['kind'], string>> = {
  update: 'Update to',
  replica: 'New replica with',
  rollout: 'Rollout of',
};

interface ApprovalTexts {
  /** Name of the waiting change. */
  name: string;
  title: string;
  lead: string;
  /** The effect of Commit. */
  effect: string;
}

/**
 * Returns the texts for a change that waits for its contract, depending on whether the contract allows it by now
 * and whether it still applies.
 * @param contract `renounced`: nobody can change it anymore; `gone`: a reorganization removed it
 */
export function approvalTexts(
  {
    kind,
    revision: { revision_number: number },
    cvm,
    is_allowed,
    overtaken,
  }: Pick<Approval, 'kind' | 'revision' | 'cvm' | 'is_allowed' | 'overtaken'>,
  contract: 'there' | 'renounced' | 'gone',
): ApprovalTexts {
  const name = `${NAMES[kind]} revision ${number}`;
  const effects: Record<Approval['kind'], string> = {
    update: `Committing restarts ${cvm?.name ?? 'the CVM'} with revision ${number}: it is unavailable until it boots. If it is stopped, it stays stopped.`,
    replica: 'Committing creates another CVM. Running CVMs aren’t affected.',
    rollout: `Committing restarts the app’s CVMs with revision ${number}, one at a time.`,
  };
  if (overtaken)
    return {
      name,
      title: `${name} was superseded`,
      lead: 'You can’t commit it anymore. Withdraw it, and prepare the change again if you still need it.',
      effect: effects[kind],
    };
  if (contract === 'renounced' && is_allowed === false)
    return {
      name,
      title: `${name} can’t be committed`,
      lead: 'The contract’s ownership was renounced, so nobody can allow it anymore. Withdraw it, and deploy it as a new app instead.',
      effect: effects[kind],
    };
  return {
    name,
    title: is_allowed ? `${name} is ready to commit` : `${name} is waiting for the contract`,
    lead: is_allowed
      ? 'Nothing changes until you commit.'
      : contract === 'gone'
        ? 'Nothing has changed yet. You can commit it here once the contract is back and allows it.'
        : 'Nothing has changed yet. Allow it on the contract, then commit it here. You can leave this page in the meantime.',
    effect: effects[kind],
  };
}
