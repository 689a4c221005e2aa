import styled from '@emotion/styled';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { color, radius, space, type } from '../theme';
import { controlStyle, Field, type FieldProps } from './Field';

const isStyleProp = (prop: PropertyKey) => prop === 'mono' || prop === 'pre' || prop === 'post';
const Input = styled('input', { shouldForwardProp: (prop) => !isStyleProp(prop) })<{
  mono: boolean;
  pre: boolean;
  post: boolean;
}>(({ mono, pre, post }) => ({
  ...controlStyle,
  ...(mono ? type.mono : {}),
  ...(pre ? { borderTopLeftRadius: 0, borderBottomLeftRadius: 0 } : {}),
  ...(post ? { borderTopRightRadius: 0, borderBottomRightRadius: 0 } : {}),
}));
const Row = styled('div')({ display: 'flex', minWidth: 0 });
const Affix = styled('span')({
  ...type.body,
  display: 'inline-flex',
  alignItems: 'center',
  padding: `0 ${space(2.5)}`,
  color: color.muted,
  backgroundColor: color.sunken,
  border: `1px solid ${color.control}`,
  whiteSpace: 'nowrap',
  '&:first-of-type': { borderRight: 0, borderRadius: `${radius.control} 0 0 ${radius.control}` },
  'input + &&': {
    borderLeft: 0,
    borderRight: `1px solid ${color.control}`,
    borderRadius: `0 ${radius.control} ${radius.control} 0`,
  },
});
const Area = styled('textarea', { shouldForwardProp: (prop) => !isStyleProp(prop) })<{ mono: boolean }>(
  ({ mono }) => ({
    ...controlStyle,
    ...(mono ? type.mono : {}),
    height: 'auto',
    padding: `${space(1.5)} ${space(2.5)}`,
    resize: 'vertical',
    display: 'block',
    '@media (pointer: coarse)': { fontSize: '16px' },
  }),
);

export interface TextInputProps extends FieldProps, Omit<ComponentPropsWithRef<'input'>, 'prefix' | 'size'> {
  /** For IDs, hashes and names that must be typed exactly. */
  mono?: boolean;
  prefix?: ReactNode;
  suffix?: ReactNode;
}

/** A single-line input of the given `type`: text, number, email address, date. */
export function TextInput({
  label,
  help,
  error,
  optional,
  mono = false,
  prefix,
  suffix,
  id,
  ...rest
}: TextInputProps) {
  return (
    <Field {...{ label, help, error, optional, id }}>
      {(control) => {
        const input = (
          <Input
            {...rest}
            {...control}
            mono={mono}
            pre={prefix !== undefined}
            post={suffix !== undefined}
            required={rest.required}
          />
        );
        if (prefix === undefined && suffix === undefined) return input;
        return (
          <Row>
            {prefix !== undefined && <Affix>{prefix}</Affix>}
            {input}
            {suffix !== undefined && <Affix>{suffix}</Affix>}
          </Row>
        );
      }}
    </Field>
  );
}

export interface TextAreaProps extends FieldProps, ComponentPropsWithRef<'textarea'> {
  mono?: boolean;
}

/** A multi-line text input. */
export function TextArea({
  label,
  help,
  error,
  optional,
  mono = false,
  id,
  rows = 4,
  ...rest
}: TextAreaProps) {
  return (
    <Field {...{ label, help, error, optional, id }}>
      {(control) => <Area {...rest} {...control} rows={rows} mono={mono} />}
    </Field>
  );
}
