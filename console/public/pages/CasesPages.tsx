import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { typeName } from '../../lib/cvms/sizes';
import { AGENT_SOCKET } from '../../lib/public/cases/nodeService';
import type { UseCase } from '../../lib/public/cases/useCase';
import { casePath, PUBLIC_PATHS, type Offer } from '../../lib/public/site';
import { Cards, Code, Hero, Section } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

const cards = (cases: UseCase[]) =>
  cases.map(({ slug, title, summary }) => ({ title, text: summary, href: casePath(slug) }));

export function CasesPage({ useCases }: { useCases: UseCase[] }) {
  return (
    <>
      <Hero
        title="Use cases"
        lead="Workloads whose data has to stay private. Each comes with a ready-to-deploy Compose file and a list of what your app’s visitors can verify."
      />
      <Section title="Choose one">
        <Cards items={cards(useCases)} />
      </Section>
    </>
  );
}

/** Visitors without an account return here after registering. */
const deployHref = (slug: string) => `/launch?case=${slug}`;

function List({ items }: { items: string[] }) {
  return (
    <ul>
      {items.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
}

interface CasePageProps {
  useCase: UseCase;
  others: UseCase[];
  offer: Offer | null;
}

export function CasePage({ useCase, others, offer }: CasePageProps) {
  const usesAgent = useCase.compose.includes(AGENT_SOCKET);
  return (
    <>
      <Hero title={useCase.title} lead={useCase.summary}>
        <a className={site.button} href={deployHref(useCase.slug)}>
          Deploy this
        </a>
        <PageLink className={site.quiet} href={PUBLIC_PATHS.cases}>
          All use cases
        </PageLink>
      </Hero>
      <section className={site.section}>
        <div className={`${site.split} ${site.prose}`}>
          <div>
            <h2>The problem</h2>
            <p>{useCase.problem}</p>
          </div>
          <div>
            <h2>In a confidential VM</h2>
            <p>{useCase.approach}</p>
          </div>
        </div>
      </section>
      <Section title="Use it" lead={useCase.usage}>
        <Code text={useCase.example} label="Example of using the app" />
      </Section>
      <section className={site.section}>
        <div className={`${site.split} ${site.prose}`}>
          <div>
            <h2>What a visitor can verify</h2>
            <List items={useCase.verify} />
          </div>
          <div>
            <h2>What this doesn’t prove</h2>
            <List items={useCase.limits} />
          </div>
        </div>
        {usesAgent && (
          <p>
            The quote that the app sends is a file for the{' '}
            <PageLink href={PUBLIC_PATHS.verify} isInSentence>
              verifier
            </PageLink>
            , which checks its signature and event log; the command <code>teehouse attest</code> checks the
            report data, too. The file doesn’t include Intel’s statements about the platform, so its verdict
            alone is “Unknown”. You’ll find complete evidence on the app’s page in the explorer.
          </p>
        )}
      </section>
      <Section title="Deploy it" lead="You can change everything before deploying.">
        <Code text={useCase.compose} label="Compose file" />
        {useCase.secrets.length > 0 && (
          <p>Needs {useCase.secrets.join(', ')}, encrypted in your browser before it is sent.</p>
        )}
        {usesAgent && (
          <p>
            Needs a TEE host: the program requests quotes from the guest agent, which the built-in simulated
            host doesn’t have.
          </p>
        )}
        {offer && (
          <p>
            Runs on {typeName(offer)} for {formatHourly(offer.rate_micros)}, about{' '}
            {formatMonthly(offer.rate_micros)} if it never stops.
          </p>
        )}
      </Section>
      <Section title="More use cases">
        <Cards items={cards(others)} />
      </Section>
    </>
  );
}
