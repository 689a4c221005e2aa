import { expect, it } from 'vitest';
import { cvmProblem, isShownAsProblem } from './cvmProblem';

const link = (tab?: string) => `/acme/cvms/web/${tab ?? ''}`;
const OUTPUT = 'failed to start containers: Network web Created | Error: pull access denied for nothere';

it('shows the line of a failed boot that says why, and folds the rest', () => {
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

it('says why a CVM isn’t running when an earlier boot error isn’t the cause', () => {
  const cvm = { name: 'web', status: 'error' as const, status_reason_keys: [], boot_error: OUTPUT };
  expect(cvmProblem({ ...cvm, status_reason: 'The VM is no longer on its host.' }, link)).toMatchObject({
    title: 'web isn’t running',
    message: 'The VM is no longer on its host.',
  });
});

it('says why a CVM is lost', () => {
  const cvm = { name: 'web', status: 'lost' as const, status_reason_keys: [], boot_error: null };
  expect(cvmProblem({ ...cvm, status_reason: "The host doesn't list its VM." }, link)).toMatchObject({
    title: 'web is lost',
    message: "The host doesn't list its VM.",
  });
});

it('hides the operation’s error only when the page shows the same one', () => {
  const error = { message: 'Boot error: x' };
  expect(isShownAsProblem({ status: 'error', status_reason: 'Boot error: x' }, { error })).toBe(true);
  expect(isShownAsProblem({ status: 'running', status_reason: null }, { error })).toBe(false);
  expect(isShownAsProblem({ status: 'error', status_reason: 'The VM is gone.' }, { error })).toBe(false);
});
