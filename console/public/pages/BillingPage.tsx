import { formatHourly, formatUsd } from '../../lib/billing/money';
import { CUSTOM_DISK_GB, DISK_GB_HOUR } from '../../lib/billing/spend';
import { typeName } from '../../lib/cvms/sizes';
import { PUBLIC_PATHS, type BillingExample } from '../../lib/public/site';
import { Cards, Hero, Section, Table } from '../parts';
import { PageLink } from '../siteContext';
import columns from '../columns.module.css';
import site from '../site.module.css';
import { count } from '../../lib/texts/count';

const RULES = [
  {
    title: 'Metering',
    text: 'You’re billed from the second an app is up until the second it stops. Creating an app, pulling images and failed deployments are free.',
  },
  {
    title: 'Stopped apps',
    text: `You pay only for the disk, at ${formatHourly(DISK_GB_HOUR)} per GB. After you delete the app, that charge ends when its disk leaves the recycle bin.`,
  },
  {
    title: 'Larger disks',
    text: `A rate includes the disk of its size, or ${CUSTOM_DISK_GB} GB for a custom size. Each additional GB costs ${formatHourly(DISK_GB_HOUR)}, running or stopped, so stopping never costs more.`,
  },
  {
    title: 'Resizing',
    text: 'The old size is billed until the second the change completes, then the new one.',
  },
  { title: 'Restarts', text: 'Restarts and updates count as running time and don’t start a new line.' },
  {
    title: 'Rounding',
    text: 'Seconds × hourly rate, in millionths of a dollar. Remainders carry over, so totals don’t depend on how time is split.',
  },
  {
    title: 'Credits and balance',
    text: 'Credits are used first, starting with the ones that expire soonest. Then your prepaid balance is charged.',
  },
];

const time = (iso: string) => iso.slice(11, 19);

export function BillingPage({ example }: { example: BillingExample | null }) {
  return (
    <>
      <Hero
        title="Billing you can recompute"
        lead="Usage is a list of lines with a start, an end, a rate and an amount. Anyone on the team can download it and add it up to the same total."
      />
      <Section title="The rules">
        <Cards items={RULES} />
      </Section>
      {example ? (
        <WorkedExample {...example} />
      ) : (
        <Section title="A worked example">
          <p>No sizes are available right now, so there are no prices for an example.</p>
        </Section>
      )}
    </>
  );
}

function WorkedExample({ lines, total_micros, first, second }: BillingExample) {
  return (
    <Section
      title="A worked example"
      lead={`An app starts as ${typeName(first)}, becomes ${typeName(second)} at noon and is stopped in the evening. While it runs, its rate is split into two lines: disk, and everything else. The billing code computed these amounts at today’s prices.`}
    >
      <Table label="Usage of one day">
        <caption>One day, times in UTC</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Billed as</th>
            <th scope="col" className={`${site.right} ${columns.wide}`}>
              Seconds
            </th>
            <th scope="col" className={`${site.right} ${columns.wide}`}>
              Rate
            </th>
            <th scope="col" className={site.right}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.from}${line.basis}`}>
              <td>{time(line.from)}</td>
              <td>{time(line.to)}</td>
              <td>
                {line.what}
                <span className={columns.narrow}>
                  <br />
                  {count(line.seconds)} s at {formatHourly(line.rate_micros)}
                </span>
              </td>
              <td className={`${site.right} ${columns.wide}`}>{count(line.seconds)}</td>
              <td className={`${site.right} ${columns.wide}`}>{formatHourly(line.rate_micros)}</td>
              <td className={site.right}>{formatUsd(line.amount_micros)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              Total
            </th>
            <td className={`${site.right} ${columns.wide}`}>—</td>
            <td className={`${site.right} ${columns.wide}`}>—</td>
            <td className={site.right}>
              <strong>{formatUsd(total_micros)}</strong>
            </td>
          </tr>
        </tfoot>
      </Table>
      <p>
        <PageLink href={PUBLIC_PATHS.pricing}>Prices and a calculator</PageLink>
      </p>
    </Section>
  );
}
