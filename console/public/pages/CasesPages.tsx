import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { typeName } from '../../lib/cvms/sizes';
import { casePath, PUBLIC_PATHS, type Offer } from '../../lib/public/site';
import type { UseCase } from '../../lib/public/useCases';
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
        lead="Where it pays not to be able to look. Each one has a Compose file that deploys, and a list of what a visitor of your app can verify."
      />
      <Section title="Choose one">
        <Cards items={cards(useCases)} />
      </Section>
    </>
  );
}

/** Visitors without an account come here after they have one. */
const deployHref = (slug: string) => `/launch?case=${slug}`;

interface CasePageProps {
  useCase: UseCase;
  others: UseCase[];
  offer: Offer | null;
}

export function CasePage({ useCase, others, offer }: CasePageProps) {
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
      <Section title="The problem">
        <p>{useCase.problem}</p>
      </Section>
      <Section title="In a confidential VM">
        <p>{useCase.approach}</p>
      </Section>
      <Section title="Deploy it">
        <Code text={useCase.compose} label="Compose file" />
        {useCase.secrets.length > 0 && (
          <p>Needs {useCase.secrets.join(', ')}, encrypted in your browser before it is sent.</p>
        )}
        {offer && (
          <p>
            Runs on {typeName(offer)} for {formatHourly(offer.rate_micros)}, about{' '}
            {formatMonthly(offer.rate_micros)} if it never stops.
          </p>
        )}
      </Section>
      <Section title="What a visitor can verify">
        <div className={site.prose}>
          <ul>
            {useCase.verify.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p>{useCase.limits}</p>
        </div>
      </Section>
      <Section title="More use cases">
        <Cards items={cards(others)} />
      </Section>
    </>
  );
}
