import type { ReactNode } from 'react';
import type { PublicTrust } from '../../generated/api/types.gen';
import { formatUsd, perMonth } from '../lib/billing/money';
import { formatGb, formatMb } from '../lib/cvms/sizes';
import type { Offer } from '../lib/public/site';
import cardStyles from './card.module.css';
import { CopyText } from './islands/CopyText';
import { Island } from './islands/Island';
import heroStyles from './hero.module.css';
import rows from './rows.module.css';
import site from './site.module.css';
import { useSite } from './siteContext';

/** Components shared by several public pages. */

interface HeroProps {
  title: string;
  lead: string;
  /** Links and buttons below the text. */
  children?: ReactNode;
  /** Beside the text if there is space, else below it. */
  aside?: ReactNode;
}

/** A page's opening. The operator's texts, if any, replace `title` and `lead`. */
export function Hero({ title, lead, children, aside }: HeroProps) {
  const { text, notes } = useSite();
  const words = (
    <>
      <h1>{text.title ?? title}</h1>
      <p className={site.lead}>{text.lead ?? lead}</p>
      {notes.map((note) => (
        <p key={note} className={site.note}>
          {note}
        </p>
      ))}
      {children && <div className={site.actions}>{children}</div>}
    </>
  );
  return (
    <div className={site.hero}>
      {aside ? (
        <div className={heroStyles.columns}>
          <div>{words}</div>
          {aside}
        </div>
      ) : (
        words
      )}
    </div>
  );
}

export function Section({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <section className={site.section}>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      {children}
    </section>
  );
}

interface CardItem {
  title: string;
  text: string;
  href?: string;
  number?: string;
  /** Facts below the text, for comparing cards. */
  meta?: string;
}

/** Cards in as many columns as fit. */
export function Cards({ items }: { items: CardItem[] }) {
  return (
    <ul className={site.grid}>
      {items.map(({ title, text, href, number, meta }) => (
        <li key={title} className={site.card}>
          {number && <span className={site.number}>{number}</span>}
          <h3>{href ? <a href={href}>{title}</a> : title}</h3>
          <p>{text}</p>
          {meta && <p className={cardStyles.meta}>{meta}</p>}
        </li>
      ))}
    </ul>
  );
}

interface TableProps {
  label: string;
  /** Whether phones show rows as blocks, each cell with its `data-label`. */
  isStacked?: boolean;
  children: ReactNode;
}

/** A table that scrolls in its container if it doesn't fit. */
export function Table({ label, isStacked = false, children }: TableProps) {
  return (
    <ScrollRegion className={site.scroll} label={label}>
      <table className={isStacked ? `${site.table} ${rows.rows}` : site.table}>{children}</table>
    </ScrollRegion>
  );
}

/** Sizes with their prices; `caption` names the table for screen readers and sighted users. */
export function Offers({ offers, caption }: { offers: Offer[]; caption: string }) {
  return (
    <Table label="Sizes and prices">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Size</th>
          <th scope="col" className={site.right}>
            vCPUs
          </th>
          <th scope="col" className={site.right}>
            Memory
          </th>
          <th scope="col" className={site.right}>
            Per hour
          </th>
          <th scope="col" className={site.right}>
            Per month
          </th>
        </tr>
      </thead>
      <tbody>
        {offers.map((offer) => (
          <tr key={offer.id}>
            <th scope="row" className={site.size}>
              {offer.name}
              {offer.gpu_count > 0 && ` · ${offer.gpu_count} GPU${offer.gpu_count === 1 ? '' : 's'}`}
              <br />
              <small>
                {offer.id}
                <br />
                {`${formatGb(offer.disk_gb)} disk`}
              </small>
            </th>
            <td className={site.right}>{offer.vcpu}</td>
            <td className={site.right}>{formatMb(offer.memory_mb)}</td>
            <td className={site.right}>{formatUsd(offer.rate_micros)}</td>
            <td className={site.right}>{formatUsd(perMonth(offer.rate_micros))}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

interface CodeProps {
  text: string;
  label: string;
  /** Whether to add a copy button; only on pages with a script. */
  canCopy?: boolean;
}

export function Code({ text, label, canCopy = false }: CodeProps) {
  const code = (
    <ScrollRegion className={site.code} label={label}>
      <pre>{text}</pre>
    </ScrollRegion>
  );
  if (!canCopy) return code;
  return (
    <div data-copied className={site.copied}>
      {code}
      <Copy what={label} />
    </div>
  );
}

const Copy = ({ what }: { what: string }) => (
  <Island name="copyText" props={{ what }} isInline>
    <CopyText what={what} />
  </Island>
);

/** A hash or ID with a copy button. */
export const CopiedHash = ({ text, what }: { text: string; what: string }) => (
  <span data-copied className={site.copiedHash}>
    <Hash text={text} /> <Copy what={what} />
  </span>
);

interface ScrollRegionProps {
  className: string | undefined;
  label: string;
  children: ReactNode;
}

export function ScrollRegion({ className, label, children }: ScrollRegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without a mouse, only a focused region scrolls
    <div className={className} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

const TRUST = {
  hardware: 'TEE host, verify below',
  simulated: 'Simulated: no TEE hardware',
};

/** The kind of host an app runs on. Never green: only verification can show that it is a TEE. */
export function TrustChip({ trust }: { trust: PublicTrust }) {
  return <span className={trust === 'simulated' ? site.simulated : site.chip}>{TRUST[trust]}</span>;
}

/** A time in UTC, to the minute. */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`}</time>;
}

export function Hash({ text }: { text: string }) {
  return <code className={site.hash}>{text}</code>;
}
