import { expect, it } from 'vitest';
import type { TextKey } from '../../../generated/api/types.gen';
import { cvmProblem, isShownAsProblem } from './cvmProblem';

const link = (tab?: string) => `/acme/cvms/web/${tab ?? ''}`;
const OUTPUT = 'failed to start containers: Network web Created | Error: pull access denied for nothere';

it('shows the most specific line of a failed boot, and folds the rest', () => {
  const problem = cvmProblem(
    {
      name: 'web',
      status: 'error',
      status_reason: `Boot error: ${OUTPUT}`,
      status_reason_keys: [{ id: 'boot_error', params: { text: OUTPUT } }],
      boot_error: OUTPUT,
    },
    link,
  );
  expect(problem).toMatchObject({
    title: 'web failed to boot',
    message: '',
    log: { line: 'Error: pull access denied for nothere', whole: OUTPUT },
  });
});

it('gives the advice for a failed boot once', () => {
  const adviceOf = (...advice: TextKey[]) => {
    const { message, suggestions } = cvmProblem(
      {
        name: 'web',
        status: 'error',
        status_reason: `Boot error: ${OUTPUT}`,
        status_reason_keys: [{ id: 'boot_error', params: { text: OUTPUT } }, ...advice],
        boot_error: OUTPUT,
      },
      link,
    );
    return [message, ...suggestions.filter((one) => typeof one === 'string')].filter((text) => text !== '');
  };
  expect(adviceOf()).toEqual(['Fix the cause, then update or start it again.']);
  expect(adviceOf({ id: 'advice_compose', params: {} })).toEqual([
    'Check the serial log, correct the Compose file, then update or start it again.',
  ]);
});

it.each([
  ['keys_refused_hash', 'advice_allow_hash', {}, 'Allow this hash', 'compose hash'],
  ['keys_refused_device', 'advice_allow_device', {}, 'Allow this device', 'device'],
  [
    'keys_refused',
    'advice_contract',
    { text: 'App not registered' },
    'Open the contract',
    'App not registered',
  ],
  ['no_keys', 'advice_keys', {}, 'Open the KMS tab', 'no keys from the KMS'],
] as const)(
  'points to the contract, not to the Compose file, when it refused the keys: %s',
  (id, advice, params, label, said) => {
    const boot_error = 'the KMS contract refused the app keys: see above';
    const { message, suggestions, log } = cvmProblem(
      {
        name: 'web',
        status: 'error',
        status_reason: 'As an older page shows it.',
        status_reason_keys: [
          { id, params },
          { id: advice, params: {} },
        ],
        boot_error,
      },
      link,
    );
    expect(message).toContain(said);
    expect(message).not.toMatch(/Compose file|serial log/);
    expect(suggestions[0]).toEqual({ label, href: '/acme/cvms/web/kms' });
    expect(log).toEqual({ line: '', whole: boot_error });
  },
);

it('explains why a CVM isn’t running if an earlier boot error isn’t the cause', () => {
  const cvm = { name: 'web', status: 'error' as const, status_reason_keys: [], boot_error: OUTPUT };
  expect(cvmProblem({ ...cvm, status_reason: 'The VM is no longer on its host.' }, link)).toMatchObject({
    title: 'web isn’t running',
    message: 'The VM is no longer on its host.',
  });
});

it('explains why a CVM is lost', () => {
  const cvm = { name: 'web', status: 'lost' as const, status_reason_keys: [], boot_error: null };
  expect(cvmProblem({ ...cvm, status_reason: "The host doesn't list its VM." }, link)).toMatchObject({
    title: 'web is lost',
    message: 'The host doesn’t list its VM.',
  });
});

it('hides the operation’s error only if the page shows the same one', () => {
  const error = { message: 'Boot error: x' };
  expect(isShownAsProblem({ status: 'error', status_reason: 'Boot error: x' }, { error })).toBe(true);
  expect(isShownAsProblem({ status: 'running', status_reason: null }, { error })).toBe(false);
  expect(isShownAsProblem({ status: 'error', status_reason: 'The VM is gone.' }, { error })).toBe(false);
});
