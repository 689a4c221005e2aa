export { default as useAutocomplete } from '@mui/material/useAutocomplete';
export { useForkRef } from '@mui/material/utils';
