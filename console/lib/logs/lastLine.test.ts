import { expect, it } from 'vitest';
import { lastMeaningfulLine } from './lastLine';

it.each([
  [
    'failed to start containers: Network web Created\n\u001b[31mError response from daemon: manifest unknown\u001b[0m\nexit status 1\n',
    'Error response from daemon: manifest unknown',
  ],
  [
    'Pulling web | Error: pull access denied for nothere | cleaning up',
    'Error: pull access denied for nothere',
  ],
  ['started\nlistening on 80\n----\n', 'listening on 80'],
  ['exited with code 137', 'exited with code 137'],
  ['\n\n', ''],
])('finds the line with the cause: %j', (output, line) => {
  expect(lastMeaningfulLine(output)).toBe(line);
});
