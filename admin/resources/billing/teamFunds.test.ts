import { describe, expect, it } from 'vitest';
import { approvalText, balanceChange } from './teamFunds';

describe('before a finance action is sent', () => {
  const funds = { approval_limit: '100.00', moved: '60.00' };

  it('says that a small amount needs approval, and what it adds up with', () => {
    expect(approvalText(funds, '40.01')).toEqual({
      waits: true,
      text: 'One administrator can move $100.00 per team within 24 hours. You have moved $60.00. Another administrator must approve this, and nothing changes until then.',
    });
    expect(approvalText(funds, '-40.01')?.waits).toBe(true);
  });

  it('shows the remaining limit while the amount is within it, or unknown', () => {
    for (const amount of ['40', '', undefined])
      expect(approvalText(funds, amount)).toMatchObject({
        waits: false,
        text: expect.stringMatching(/More than \$40\.00 needs another administrator’s approval\.$/),
      });
    expect(approvalText({ ...funds, moved: '100.00' }, undefined)?.text).toContain(
      'Any further amount needs',
    );
    expect(approvalText({ ...funds, moved: '0.00' }, '1')?.text).not.toContain('You have moved');
  });

  it('shows nothing without a limit', () => {
    expect(approvalText({ approval_limit: null, moved: '0.00' }, '1000000')).toBeNull();
  });
});

describe('the balance after an adjustment', () => {
  const funds = { prepaid: '520.00', credits: '205.00' };

  it('is shown with the one before, without a warning', () => {
    expect(balanceChange(funds, '-20')).toEqual({
      text: 'Prepaid funds: $520.00 now, $500.00 after. Credits are unchanged at $205.00.',
      warning: null,
    });
    expect(balanceChange(funds, '')).toBeNull();
    expect(balanceChange(funds, '0')).toBeNull();
    expect(balanceChange({ prepaid: '-10.00', credits: '0.00' }, '5')?.warning).toBeNull();
  });

  it('warns if prepaid funds are overdrawn, as opposed to a debt', () => {
    expect(balanceChange(funds, '-600')?.warning).toBe(
      'Prepaid funds are overdrawn by $80.00. Credits offset that: the team isn’t in debt, and has $125.00 left to spend.',
    );
    expect(balanceChange(funds, '-800')?.warning).toBe(
      'The balance falls to −$75.00, credits included. This puts the team in debt unless its post-paid cap covers it.',
    );
  });
});
