import type { GpuStock, Offer } from '../../lib/public/site';
import { PUBLIC_PATHS } from '../../lib/public/site';
import { Cards, Hero, Offers, Section, Table } from '../parts';
import { entryOf, PageLink, useSite } from '../siteContext';
import site from '../site.module.css';

const POINTS = [
  {
    title: 'Memory encrypted end to end',
    text: 'The GPU runs in confidential mode: the link between processor and GPU is encrypted, and the host can’t read either side’s memory.',
  },
  {
    title: 'What is verified today',
    text: 'The VM’s quote covers firmware, OS image and Compose file. If the evidence includes NVIDIA’s report, your browser verifies its signature and the certificates up to NVIDIA’s root. It works offline, so it can’t compare the GPU’s measurements, check for revocation or confirm confidential mode. Every report says so.',
  },
  { title: 'Dedicated', text: 'A GPU belongs to one app at a time. Teams can have GPUs reserved for them.' },
];

export function GpuPage({ offers, stock }: { offers: Offer[]; stock: GpuStock[] }) {
  const { signed_in, can_register } = useSite();
  const entry = signed_in ? { href: '/dashboard/gpu-tee', text: 'Open GPU TEE' } : entryOf(can_register);
  return (
    <>
      <Hero
        title="GPUs inside the enclave"
        lead="Serve and fine-tune models where neither the cloud nor the host’s operator can read prompts, answers or weights."
      >
        <a className={site.button} href={entry.href}>
          {entry.text}
        </a>
      </Hero>
      <Section title="What confidential GPUs add">
        <Cards items={POINTS} />
      </Section>
      <Section title="Available now" lead="Read from this cloud’s hosts when you opened the page.">
        {stock.length === 0 ? (
          <p>This cloud doesn’t have any GPUs right now.</p>
        ) : (
          <Table label="GPUs">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col" className={site.right}>
                  Free
                </th>
                <th scope="col" className={site.right}>
                  Installed
                </th>
              </tr>
            </thead>
            <tbody>
              {stock.map(({ model, all, free }) => (
                <tr key={model}>
                  <th scope="row">{model}</th>
                  <td className={site.right}>{free}</td>
                  <td className={site.right}>{all}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Section>
      <Section title="Prices">
        {offers.length === 0 ? (
          <p>No GPU sizes are available right now.</p>
        ) : (
          <Offers offers={offers} caption="Billed per running second. A month is 730 running hours." />
        )}
        <p>
          <PageLink href={PUBLIC_PATHS.pricing}>All sizes and a calculator</PageLink>
        </p>
      </Section>
    </>
  );
}
