import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Cvm } from '../../../generated/api/types.gen';
import { SIMULATED_TEXT } from '../../lib/cvms/addresses';
import { Endpoints } from '../cvms/Endpoints';
import { AppEndpoints, ShortEndpoints } from './AppEndpoints';

const address = 'http://app-80.cvm.localhost:41000';
const cvm = (change: Partial<Cvm> = {}) =>
  ({
    status: 'running',
    simulated: false,
    gateway_enabled: true,
    public_urls: [{ app: address, instance: address }],
    ...change,
  }) as Cvm;
const hrefs = (node: ReactNode) => {
  const html = renderToStaticMarkup(node);
  return { links: [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href), html };
};

it.each([
  ['the app’s overview', (one: Cvm) => <AppEndpoints cvms={[one]} />],
  ['the app’s aside', (one: Cvm) => <ShortEndpoints cvm={one} />],
  ['the CVM’s overview', (one: Cvm) => <Endpoints cvm={one} />],
])('%s links to an address only if something can respond there', (_where, show) => {
  expect(hrefs(show(cvm())).links).toEqual([address]);
  const simulated = hrefs(show(cvm({ simulated: true })));
  expect(simulated.links).toEqual([]);
  expect(simulated.html).toContain('app-80.cvm.localhost:41000');
  expect(simulated.html).toContain(SIMULATED_TEXT);
  const stopped = hrefs(show(cvm({ status: 'stopped' })));
  expect(stopped.links).toEqual([]);
  expect(stopped.html).toContain('Available while');
});

it('links to the addresses of an app’s other CVMs', () => {
  const other = 'https://app-80.example.test';
  const { links, html } = hrefs(
    <AppEndpoints
      cvms={[cvm({ simulated: true }), cvm({ public_urls: [{ app: other, instance: other }] })]}
    />,
  );
  expect(links).toEqual([other]);
  expect(html).toContain(SIMULATED_TEXT);
});

it('explains nothing while a CVM that runs serves every address', () => {
  const { links, html } = hrefs(<AppEndpoints cvms={[cvm({ simulated: true }), cvm()]} />);
  expect(links).toEqual([address]);
  expect(html).not.toContain(SIMULATED_TEXT);
});
