import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatHourly, formatUsd } from '../../lib/billing/money';
import { moreDiskMicros } from '../../lib/billing/spend';
import { ownValue } from '../../lib/ownValue';
import { formatGb, formatMb, typeName } from '../../lib/cvms/sizes';
import {
  ignoredOf,
  priceOf,
  QUOTE_LIMITS,
  quoteOf,
  quoteSearch,
  type Quote,
  type QuoteField,
} from '../../lib/public/price';
import type { Offer } from '../../lib/public/site';
import site from '../site.module.css';

const FIELDS = [
  { name: 'count', label: 'CVMs' },
  { name: 'hours', label: 'Running hours a month' },
  { name: 'disk', label: 'Disk per CVM, GB' },
] as const;

interface PriceCalculatorProps {
  offers: Offer[];
  quote: Quote;
  /** Fields whose number in the address is invalid. */
  ignored: QuoteField[];
}

/** A form that works without scripts: the server computes the same from the address. */
export function PriceCalculator({ offers, quote: given, ignored: givenIgnored }: PriceCalculatorProps) {
  const [quote, setQuote] = useState(given);
  const [ignored, setIgnored] = useState(givenIgnored);
  /** The typed text per field, which may not be a number yet. */
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const offer = offers.find(({ id }) => id === quote.type);

  const form = useRef<HTMLFormElement>(null);

  const change = (name: keyof Quote, value: string) => show(new Map(typed).set(name, value));

  function show(texts: ReadonlyMap<string, string>): void {
    const shown = new Map(Object.entries(quote).map(([key, one]) => [key, String(one)]));
    // An invalid field counts as its default.
    const read = (key: string) => texts.get(key) ?? shown.get(key) ?? null;
    const next = quoteOf(read, offers);
    setTyped(texts);
    setQuote(next);
    setIgnored(ignoredOf(read));
    history.replaceState(null, '', quoteSearch(next));
  }

  // What a visitor entered before this script ran is in the fields, but the result is still that of the address.
  const readFields = useEffectEvent(() => {
    if (!form.current) return;
    const entered = [...new FormData(form.current)].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && value !== String(ownValue(quote, name)) ? [[name, value]] : [],
    );
    if (entered.length > 0) show(new Map(entered));
  });
  useEffect(() => readFields(), []);

  return (
    <>
      <form
        ref={form}
        className={`${site.form} ${site.level}`}
        method="get"
        onSubmit={(event) => event.preventDefault()}
      >
        <label>
          Size
          <select name="type" value={quote.type} onChange={(event) => change('type', event.target.value)}>
            {offers.map((one) => (
              <option key={one.id} value={one.id}>
                {typeName(one)}
              </option>
            ))}
          </select>
        </label>
        {FIELDS.map(({ name, label }) => (
          <div key={name}>
            <label>
              {label}
              <input
                type="number"
                name={name}
                min={1}
                max={QUOTE_LIMITS[name]}
                value={typed.get(name) ?? quote[name]}
                aria-invalid={ignored.includes(name)}
                aria-describedby={ignored.includes(name) ? `ignored-${name}` : undefined}
                onChange={(event) => change(name, event.target.value)}
              />
            </label>
            {ignored.includes(name) && (
              <small id={`ignored-${name}`}>
                Whole numbers from 1 to {QUOTE_LIMITS[name]}. Calculated with {quote[name]}.
              </small>
            )}
          </div>
        ))}
        <noscript>
          <button type="submit" className={`${site.button} ${site.small}`}>
            Calculate
          </button>
        </noscript>
      </form>
      {offer && <Result quote={quote} offer={offer} />}
    </>
  );
}

function Result({ quote, offer }: { quote: Quote; offer: Offer }) {
  const { running_micros, stopped_micros, month_micros } = priceOf(quote, offer);
  return (
    <p className={site.result} aria-live="polite">
      <strong>{formatUsd(month_micros)}</strong> a month
      <small>
        Each CVM: {offer.vcpu} vCPU, {formatMb(offer.memory_mb)} memory, {formatGb(offer.disk_gb)} disk
        included
        {quote.disk > offer.disk_gb &&
          `, ${formatGb(quote.disk - offer.disk_gb)} more for ${formatHourly(moreDiskMicros(quote.disk, offer.disk_gb))}`}
      </small>
      <small>
        {formatUsd(running_micros)} while running
        {stopped_micros > 0 && <>, {formatUsd(stopped_micros)} for disks while stopped</>}
      </small>
    </p>
  );
}
