/** All libraries of the corpus. Those of `test/corpus` are in the main install. */
import { testedLibraries } from '../../test/corpus/tested-libraries.ts';
import { angular } from './libraries/angular/library.ts';
import { antd } from './libraries/antd/library.ts';
import { bootstrap } from './libraries/bootstrap/library.ts';
import { element } from './libraries/element/library.ts';
import { flatpickrTime } from './libraries/flatpickr-time/library.ts';
import { formik } from './libraries/formik/library.ts';
import { formio } from './libraries/formio/library.ts';
import { imask } from './libraries/imask/library.ts';
import { intlTelInput } from './libraries/intl-tel-input/library.ts';
import { jquerySteps } from './libraries/jquery-steps/library.ts';
import { jqueryUi } from './libraries/jquery-ui/library.ts';
import { jsonForms } from './libraries/json-forms/library.ts';
import { mui } from './libraries/mui/library.ts';
import { nouislider } from './libraries/nouislider/library.ts';
import { parsley } from './libraries/parsley/library.ts';
import { quill } from './libraries/quill/library.ts';
import { reactHookForm } from './libraries/react-hook-form/library.ts';
import { reactSelect } from './libraries/react-select/library.ts';
import { select2 } from './libraries/select2/library.ts';
import { shoelace } from './libraries/shoelace/library.ts';
import { survey } from './libraries/survey/library.ts';
import { tomSelect } from './libraries/tom-select/library.ts';
import { trix } from './libraries/trix/library.ts';
import { uswds } from './libraries/uswds/library.ts';
import { vuetify } from './libraries/vuetify/library.ts';

export const allLibraries = [
  ...testedLibraries,
  ...[
    angular,
    antd,
    bootstrap,
    element,
    flatpickrTime,
    formik,
    formio,
    imask,
    intlTelInput,
    jquerySteps,
    jqueryUi,
    jsonForms,
    mui,
  ],
  ...[
    nouislider,
    parsley,
    quill,
    reactHookForm,
    reactSelect,
    select2,
    shoelace,
    survey,
    tomSelect,
    trix,
    uswds,
    vuetify,
  ],
];
