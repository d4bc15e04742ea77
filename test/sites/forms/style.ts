export const style = `
:root { --blue: #005ea2; --dark: #162e51; --red: #b50909; --line: #71767a; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 "Source Sans Pro", Helvetica, Arial, sans-serif; color: #1b1b1b; }
.banner { background: #f0f0f0; font-size: .8rem; padding: .25rem 1.5rem; }
header { display: flex; justify-content: space-between; padding: 1rem 1.5rem; border-bottom: 1px solid #dfe1e2; }
.logo { font-weight: 700; font-size: 1.25rem; color: var(--dark); text-decoration: none; }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem; }
footer { background: var(--dark); padding: 1rem 1.5rem; } footer a { color: #fff; margin-right: 1rem; }
h1 { line-height: 1.2; margin: .25rem 0 1rem; } .step { margin: 0; color: #565c65; }
.question { margin: 1.75rem 0; } .question[hidden], [hidden] { display: none !important; }
fieldset { border: 0; margin: 0; padding: 0; } legend, .field label { font-weight: 600; display: block; }
.hint { display: block; color: #565c65; } .error { display: block; color: var(--red); font-weight: 700; }
abbr { color: var(--red); text-decoration: none; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; }
input[type=text], input[type=number], input[type=search], input[type=email], select, textarea {
  border: 1px solid var(--line); padding: .5rem; font: inherit; width: 100%; max-width: 22rem; background: #fff; }
.row input { width: 5rem; } .bad { border-left: .25rem solid var(--red); padding-left: 1rem; }
.money { display: flex; align-items: center; gap: .25rem; }
.cards { display: grid; gap: .5rem; max-width: 26rem; margin-top: .5rem; }
.card { border: 2px solid #dfe1e2; border-radius: .25rem; padding: .75rem 1rem; cursor: pointer; }
input:checked + .card { border-color: var(--blue); background: #e7f2fb; }
.tick { width: 100%; } .tick label { font-weight: 400; display: flex; gap: .5rem; cursor: pointer; }
.box { width: 1.25rem; height: 1.25rem; border: 2px solid var(--line); flex: none; }
input:checked + label .box { background: var(--blue); }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.typeahead { position: relative; display: block; max-width: 22rem; }
.typeahead ul { position: absolute; z-index: 2; left: 0; right: 0; margin: 0; padding: 0; list-style: none; background: #fff; border: 1px solid var(--line); }
.typeahead li { padding: .4rem .5rem; cursor: pointer; } .typeahead li[aria-selected=true] { background: #e7f2fb; }
.error-summary { border: .25rem solid var(--red); padding: 0 1rem; } .error-summary a { color: var(--red); font-weight: 700; }
button, input[type=submit] { font: inherit; font-weight: 700; border-radius: .25rem; padding: .75rem 1.25rem; border: 2px solid var(--blue); cursor: pointer; }
.primary { background: var(--blue); color: #fff; } .secondary { background: #fff; color: var(--blue); }
.link { border: 0; background: none; color: var(--blue); text-decoration: underline; padding: .25rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; border-bottom: 1px solid #dfe1e2; padding: .4rem; }
.loan-form { border: 1px solid #dfe1e2; padding: 1rem; margin-top: 1rem; } .loan-form .field { margin-bottom: 1rem; }
.results div { border-top: 1px solid #dfe1e2; padding: .75rem 0; } dt { font-weight: 600; } dd { margin: 0; font-size: 1.5rem; }
.spinner { color: #565c65; } iframe { border: 1px solid #dfe1e2; width: 100%; height: 60rem; }
`;
