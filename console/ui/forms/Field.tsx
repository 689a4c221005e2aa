import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import styled from '@emotion/styled';
import { createContext, useContext, useId, useLayoutEffect, type ReactNode, type Ref } from 'react';
import { color, motion, radius, size, space, type } from '../theme';

/** Props common to all fields, whatever their control. */
export interface FieldProps {
  label: string;
  /** Below the control: its purpose or limits. */
  help?: ReactNode;
  /** The fault and how to fix it. */
  error?: string | undefined;
  /** Marks optional fields, since most are required. */
  optional?: boolean;
}

/** Props that a control spreads on its element to associate label, help and error with it. */
export interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

const Box = styled('div')({ display: 'grid', gap: space(1.5), minWidth: 0, alignContent: 'start' });
export const Label = styled('label')({
  ...type.small,
  fontWeight: 550,
  color: color.text,
  display: 'flex',
  alignItems: 'baseline',
  gap: space(2),
  justifySelf: 'start',
});
const Optional = styled('span')({ ...type.caption, fontWeight: 400, color: color.faint });
export const Help = styled('div')({
  ...type.caption,
  color: color.muted,
  maxWidth: size.reading,
  overflowWrap: 'anywhere',
});
const Message = styled('div')({
  ...type.caption,
  display: 'flex',
  gap: space(1),
  color: color.errorText,
  fontWeight: 500,
  overflowWrap: 'anywhere',
  '& > svg': { flex: 'none', fontSize: 14, marginTop: 1 },
});

/** Receives 1 when a field starts to show an error, and -1 when it stops. */
export const FieldErrorCount = createContext<(change: 1 | -1) => void>(() => undefined);

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  const count = useContext(FieldErrorCount);
  // Before paint, so that the form's own notice changes with it.
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, [count]);
  return (
    <Message id={id}>
      <CircleAlertIcon aria-hidden />
      <span>{children}</span>
    </Message>
  );
}

export function describedBy(...ids: (string | false | undefined)[]): { 'aria-describedby'?: string } {
  const list = ids.filter((id) => typeof id === 'string');
  return list.length === 0 ? {} : { 'aria-describedby': list.join(' ') };
}

/** Label above, help below, error at the field. */
export function Field({
  label,
  help,
  error,
  optional = false,
  children,
  id: given,
}: FieldProps & { id?: string | undefined; children: (control: ControlProps) => ReactNode }) {
  const own = useId();
  const id = given ?? own;
  const invalid = error !== undefined && error !== '';
  return (
    <Box>
      <Label htmlFor={id}>
        {label}
        {optional && <Optional>optional</Optional>}
      </Label>
      {children({
        id,
        ...describedBy(invalid && `${id}-error`, help !== undefined && `${id}-help`),
        ...(invalid ? { 'aria-invalid': true } : {}),
      })}
      {invalid && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {help !== undefined && <Help id={`${id}-help`}>{help}</Help>}
    </Box>
  );
}

const Group = styled('fieldset')({
  display: 'grid',
  gap: space(2),
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
});
const Legend = styled('legend')({ ...type.small, fontWeight: 550, marginBottom: space(1.5), padding: 0 });

/** Several controls that form one field. */
export function FieldGroup({
  label,
  help,
  error,
  optional = false,
  attach,
  children,
}: FieldProps & {
  /** Ref of the group, for focusing it. */
  attach?: Ref<HTMLFieldSetElement>;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Group
      {...describedBy(error !== undefined && `${id}-error`, help !== undefined && `${id}-help`)}
      aria-invalid={error !== undefined || undefined}
      {...(attach === undefined ? {} : { ref: attach, tabIndex: -1 })}
    >
      <Legend>
        {label}
        {optional && <Optional style={{ marginLeft: space(2) }}>optional</Optional>}
      </Legend>
      {children}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {help !== undefined && <Help id={`${id}-help`}>{help}</Help>}
    </Group>
  );
}

/** Style of everything users type or pick in. */
export const controlStyle = {
  ...type.body,
  width: '100%',
  minWidth: 0,
  height: `var(--control-height, ${size.control})`,
  margin: 0,
  padding: `0 ${space(2.5)}`,
  fontFamily: 'inherit',
  color: color.text,
  backgroundColor: color.surface,
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  transition: `border-color ${motion.fast}`,
  '&::placeholder': { color: color.faint, opacity: 1 },
  '&:hover:not(:disabled)': { borderColor: color.muted },
  '&:focus-visible': {
    outline: `2px solid ${color.focus}`,
    outlineOffset: '-1px',
    borderColor: 'transparent',
  },
  '&[aria-invalid]': { borderColor: color.errorSolid, boxShadow: `inset 0 0 0 1px ${color.errorSolid}` },
  '&:disabled': {
    backgroundColor: color.sunken,
    color: color.faint,
    borderColor: color.line,
    cursor: 'not-allowed',
  },
  '&:read-only:not(select)': { backgroundColor: color.sunken },
  // iOS zooms into inputs with text under 16 px.
  '@media (pointer: coarse)': { fontSize: '16px', height: size.controlLarge },
} as const;
