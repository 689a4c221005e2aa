import styled from '@emotion/styled';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { formatHourly } from '../../../lib/billing/money';
import { DISK_GB_HOUR } from '../../../lib/billing/spend';
import { formatGb, formatMb } from '../../../lib/cvms/sizes';
import { Cost } from '../../../ui/data/Cost';
import { RadioCards, type RadioCard } from '../../../ui/forms/RadioCards';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, space, type as text } from '../../../ui/theme';
import { CUSTOM, type FieldErrors } from './form';

export interface SizeFields {
  size: string;
  vcpu: string;
  memory_gb: string;
  disk_gb: string;
}

const Box = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Why = styled('p')({ ...text.body, color: color.muted, margin: 0 });
const Specs = styled('span')({ whiteSpace: 'nowrap' });
const Numbers = styled('div')({
  display: 'grid',
  gap: space(4),
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 180px), 220px))',
});

interface Props {
  sizes: readonly InstanceType[];
  value: SizeFields;
  onChange: (change: Partial<SizeFields>) => void;
  errors: FieldErrors;
  diskHelp: string;
  /** GB included in the size's rate. */
  includedDisk: number;
  /** The disk size used when the field is empty, if not the included one. */
  diskPlaceholder?: string;
  /** Whether choosing an instance type also sets the disk. */
  withDisk?: boolean;
  /** Shown instead of the choice where only the disk can change: why. */
  onlyDisk?: string;
}

/** Instance types as priced cards, or a custom size. */
export function SizeSection({
  sizes,
  value,
  onChange,
  errors,
  diskHelp,
  includedDisk,
  diskPlaceholder = String(includedDisk),
  withDisk = true,
  onlyDisk,
}: Props) {
  const cards: RadioCard[] = [
    ...sizes.map((type) => ({
      value: type.id,
      name: type.id,
      specs: (
        <Specs>
          {type.gpu_count > 0 && `${type.gpu_count} GPU · `}
          {type.vcpu} vCPU · {formatMb(type.memory_mb)}
          {withDisk && (
            <>
              <br />
              {formatGb(type.default_disk_size_gb)} disk
            </>
          )}
        </Specs>
      ),
      price: <Cost usd={type.hourly_rate} per="hour" />,
    })),
    { value: CUSTOM, name: 'Custom', specs: 'Set vCPU and memory' },
  ];
  return (
    <Box>
      {onlyDisk === undefined ? (
        <RadioCards
          label="Instance type"
          name="size"
          cards={cards}
          value={value.size}
          error={errors.size}
          onChange={(size) => onChange({ size })}
        />
      ) : (
        <Why>{onlyDisk}</Why>
      )}
      <Numbers>
        {value.size === CUSTOM && onlyDisk === undefined && (
          <>
            <TextInput
              label="vCPU"
              inputMode="numeric"
              value={value.vcpu}
              error={errors.vcpu}
              onChange={(event) => onChange({ vcpu: event.target.value })}
            />
            <TextInput
              label="Memory"
              suffix="GB"
              inputMode="decimal"
              value={value.memory_gb}
              error={errors.memory_gb}
              onChange={(event) => onChange({ memory_gb: event.target.value })}
            />
          </>
        )}
        <TextInput
          label="Disk"
          suffix="GB"
          optional
          inputMode="numeric"
          value={value.disk_gb}
          placeholder={diskPlaceholder}
          help={`The price includes ${formatGb(includedDisk)}; each GB above costs ${formatHourly(DISK_GB_HOUR)}. ${diskHelp}`}
          error={errors.disk_gb}
          onChange={(event) => onChange({ disk_gb: event.target.value })}
        />
      </Numbers>
    </Box>
  );
}
