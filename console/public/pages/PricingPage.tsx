import { DISK_GB_HOUR } from '../../lib/billing/spend';
import { formatHourly } from '../../lib/billing/money';
import type { Quote, QuoteField } from '../../lib/public/price';
import { PUBLIC_PATHS, type Offer } from '../../lib/public/site';
import { PriceCalculator } from '../islands/PriceCalculator';
import { Island } from '../islands/Island';
import { Cards, Hero, Offers, Section } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

const ALSO_BILLED = [
  {
    title: 'Disks',
    text: `${formatHourly(DISK_GB_HOUR)} per GB, for disk beyond what a running app’s size includes and for a stopped app’s whole disk. A deleted app’s disk is billed until it leaves the recycle bin.`,
  },
  {
    title: 'Confidential AI API',
    text: 'Billed per input, cached input and output token at the model’s price, with one charge per hour. Models without a price are free.',
  },
  {
    title: 'Reservations',
    text: 'Optional. You prepay for a CVM, or only its GPUs, for a full term. Whatever the reservation covers then costs nothing extra. You see the refund rules before you order.',
  },
];

const NOT_BILLED = [
  'Creating an app, pulling its images, and failed deployments.',
  'CPU, memory and GPUs of an app while it is stopped.',
  'Apps on a lost host, from the second it is lost.',
  'Network traffic and management API calls.',
  'Verification, evidence files, badges and the explorer.',
];

interface PricingPageProps {
  offers: Offer[];
  quote: Quote;
  ignored: QuoteField[];
}

export function PricingPage({ offers, quote, ignored }: PricingPageProps) {
  return (
    <>
      <Hero
        title="Pricing"
        lead="Pay per running second. No minimum, no commitment, and the same price for everyone."
      />
      <Section title="Sizes">
        {offers.length === 0 ? (
          <p>No sizes are available right now.</p>
        ) : (
          <Offers
            offers={offers}
            caption={`A month is 730 running hours. A rate includes the disk of its size; each additional GB costs ${formatHourly(DISK_GB_HOUR)}. A stopped app pays that for each GB of its disk.`}
          />
        )}
      </Section>
      {offers.length > 0 && (
        <Section
          title="Calculator"
          lead="A CVM is one confidential VM: it runs your app, or one replica of it. The page’s URL includes your numbers, so you can share it."
        >
          <Island name="priceCalculator" props={{ offers, quote, ignored }}>
            <PriceCalculator offers={offers} quote={quote} ignored={ignored} />
          </Island>
          <p>
            <PageLink href={PUBLIC_PATHS.billing}>How billing works, with a worked example</PageLink>
          </p>
        </Section>
      )}
      <Section title="What else is billed" lead="Each of these is listed separately in the team’s usage.">
        <Cards items={ALSO_BILLED} />
      </Section>
      <Section title="What is not billed">
        <div className={site.prose}>
          <ul>
            {NOT_BILLED.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      </Section>
    </>
  );
}
