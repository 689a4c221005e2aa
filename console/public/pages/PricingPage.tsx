import { DISK_GB_HOUR } from '../../lib/billing/spend';
import { formatHourly } from '../../lib/billing/money';
import type { Quote } from '../../lib/public/price';
import { PUBLIC_PATHS, type Offer } from '../../lib/public/site';
import { PriceCalculator } from '../islands/PriceCalculator';
import { Island } from '../islands/Island';
import { Hero, Offers, Section } from '../parts';
import { PageLink } from '../siteContext';

export function PricingPage({ offers, quote }: { offers: Offer[]; quote: Quote }) {
  return (
    <>
      <Hero
        title="Pricing"
        lead="Pay per running second. No minimum, no commitment, and the same price for everyone."
      />
      <Section title="Sizes">
        {offers.length === 0 ? (
          <p>No size can be deployed at the moment.</p>
        ) : (
          <Offers
            offers={offers}
            caption={`A month is 730 running hours. A rate includes the disk of its size; each GB above costs ${formatHourly(DISK_GB_HOUR)}. A stopped app pays that for each GB of its disk.`}
          />
        )}
      </Section>
      {offers.length > 0 && (
        <Section title="Calculator" lead="Its address holds your numbers, so you can send it to someone.">
          <Island name="priceCalculator" props={{ offers, quote }}>
            <PriceCalculator offers={offers} quote={quote} />
          </Island>
          <p>
            <PageLink href={PUBLIC_PATHS.billing}>How billing works, with a worked example</PageLink>
          </p>
        </Section>
      )}
    </>
  );
}
