import { casePath, PUBLIC_PATHS, type Offer } from '../../lib/public/site';
import { isHidden } from '../../lib/public/siteContent';
import type { UseCase } from '../../lib/public/cases/useCase';
import { ExampleReport } from '../ExampleReport';
import { Cards, Code, Hero, Offers, Section } from '../parts';
import { entryOf, PageLink, useSite } from '../siteContext';
import hero from '../hero.module.css';
import site from '../site.module.css';

const STEPS = [
  {
    number: '1',
    title: 'Seal',
    text: 'Paste a Compose file and its secrets. Your browser encrypts the secrets to a key that the enclave’s key service signed. The server stores them but can’t read them.',
  },
  {
    number: '2',
    title: 'Run',
    text: 'The app boots in a confidential VM. The processor encrypts its memory and measures the guest OS and the Compose file before anything starts.',
  },
  {
    number: '3',
    title: 'Verify',
    text: 'The processor signs the measurements. You, your users and your auditors check the signature in a browser or offline, without trusting this console.',
  },
];

const PROMISES = [
  {
    title: 'Secrets stay sealed',
    text: 'X25519 and AES-256-GCM in your browser. The plaintext exists in two places: your browser and the enclave.',
  },
  {
    title: 'What runs is what you deployed',
    text: 'A hash covers every byte of the Compose file. It is computed in your browser, compared with the server’s and part of the signed quote.',
  },
  {
    title: 'Nothing is labeled verified unless it is',
    text: 'Each check has a name, an age and a reason. Simulated hosts are labeled as simulated everywhere.',
  },
  {
    title: 'Billed by the second',
    text: 'Metering starts with the first running second. A stopped app pays only for its disk.',
  },
  {
    title: 'Your tools keep working',
    text: 'Docker Compose files, the phala command line, the TypeScript SDK and an OpenAPI document.',
  },
  {
    title: 'Run it yourself',
    text: 'Open source under Apache-2.0. One command starts it on a laptop; the same code runs a fleet of TEE hosts.',
  },
];

const EXAMPLE = `services:
  api:
    image: ghcr.io/acme/api@sha256:4c1f…
    environment:
      DATABASE_URL: \${DATABASE_URL}   # sealed in your browser
    ports:
      - "8080:8080"
`;

interface HomePageProps {
  offers: Offer[];
  useCases: UseCase[];
}

export function HomePage({ offers, useCases }: HomePageProps) {
  const { brand, hidden, can_register } = useSite();
  const entry = entryOf(can_register);
  return (
    <>
      <Hero
        title="Run containers no one else can see inside"
        lead={`${brand} deploys Docker Compose apps into confidential VMs. Secrets are encrypted in your browser, memory is encrypted by the processor, and anyone can verify what runs.`}
        aside={<ExampleReport />}
      >
        <a className={site.button} href={entry.href}>
          {entry.text}
        </a>
        <PageLink className={site.quiet} href={PUBLIC_PATHS.about}>
          How it works
        </PageLink>
      </Hero>
      <Section title="From a Compose file to a proof">
        <Cards items={STEPS} />
        <Code text={EXAMPLE} label="An example Compose file" />
      </Section>
      <Section title="What you can rely on" lead="You can check every claim here.">
        <Cards items={PROMISES} />
        <img
          className={`${site.picture} ${hero.picture}`}
          src="/public/console.png"
          alt="The console: a team’s apps with their status, size and cost, and the latest events"
          width={1360}
          height={800}
          loading="lazy"
        />
      </Section>
      {!isHidden(hidden, PUBLIC_PATHS.cases) && (
        <Section title="Built for" lead="Each use case comes with a ready-to-deploy Compose file.">
          <Cards
            items={useCases.map(({ slug, title, summary }) => ({
              title,
              text: summary,
              href: casePath(slug),
            }))}
          />
        </Section>
      )}
      <Section title="Prices" lead="Billed per running second, with no minimum. No sales call.">
        {offers.length === 0 ? (
          <p>No sizes are available right now.</p>
        ) : (
          <Offers
            offers={offers.slice(0, 4)}
            caption="A month is 730 running hours. Rates include the disk shown; more disk, and disks of stopped apps, are billed per GB."
          />
        )}
        <p>
          <PageLink href={PUBLIC_PATHS.pricing}>All sizes and a calculator</PageLink>
        </p>
      </Section>
    </>
  );
}
