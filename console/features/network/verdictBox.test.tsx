import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CheckResult } from './CheckResult';
import { EndpointsPanel } from './EndpointsPanel';
import { triedKey, type Tried } from './types';
import { VerdictBox } from './VerdictBox';
import { networkStates } from './storyData';

it('shows why a test failed once: where the user started it', () => {
  const { network } = networkStates[0]!;
  const cvm = { name: 'web', status: 'running', host_reachable: true } as const;
  const alerts = (fromVerdict: boolean) => {
    const one: Tried = {
      pending: false,
      result: null,
      problem: { title: 'Couldn’t test the address', message: 'Too many attempts.' },
      fromVerdict,
    };
    const tried = new Map([[triedKey({ port: 80 }), one]]);
    const verdict = renderToStaticMarkup(
      <VerdictBox cvm={cvm} network={network!} tried={tried} link={() => ''} onTry={() => undefined} />,
    );
    const address = renderToStaticMarkup(<CheckResult tried={one} />);
    return [verdict, address].map((markup) => markup.includes('role="alert"'));
  };
  expect(alerts(true)).toEqual([true, false]);
  expect(alerts(false)).toEqual([false, true]);
});

it('offers neither a test nor a link while containers are simulated', () => {
  const { network } = networkStates.find(({ id }) => id === 'local')!;
  const cvm = { name: 'web', status: 'running', host_reachable: true, simulated: true } as const;
  const props = { cvm, network: network!, tried: new Map(), link: () => '', onTry: () => undefined };
  const html = renderToStaticMarkup(
    <>
      <VerdictBox {...props} />
      <EndpointsPanel {...props} />
    </>,
  );
  expect(html).toContain('No: containers are simulated on this host.');
  expect(html).not.toMatch(/Test now|Try<|target="_blank"/);
});
