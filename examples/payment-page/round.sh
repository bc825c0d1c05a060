#!/bin/sh
# The whole round from scripts alone, with curl for a browser: installs an app that is paid for, and prints its subscription after each step.
# Needs a service at CRM_BASE_URL, an owner who can sign in, and curl.
set -eu

: "${CRM_BASE_URL:=http://127.0.0.1:3000}" "${EMAIL:=owner@example.com}" "${PASSWORD:?the password of $EMAIL}" "${PORT:=4001}"
export CRM_BASE_URL PORT
here=$(cd "$(dirname "$0")" && pwd)
node="$here/../../node_modules/.bin/node"
# In a clone, or where the package is installed.
program="$here/../../bin/crm.js"
[ -e "$program" ] || program="$here/../../node_modules/crm/bin/crm.js"
folder=$(mktemp -d)
trap 'kill "${page:-}" 2>/dev/null; rm -rf "$folder"' EXIT

crm() { "$node" "$program" "$@"; }
# pick JSON EXPRESSION: `it` is what the JSON says.
pick() { "$node" -p "const it = JSON.parse(process.argv[1]); $2" "$1"; }
browser() { curl --silent --show-error --cookie "$folder/jar" --cookie-jar "$folder/jar" "$@"; }
# Where an answer leads.
leads() { browser --output /dev/null --write-out '%{redirect_url}\n' "$@"; }
# hidden NAME: a hidden field of the page on stdin.
hidden() { sed -n "s/.*name=\"$1\" value=\"\([^\"]*\)\".*/\1/p" | head -n 1; }
tell() { echo "$1: $(pick "$(crm billing subscriptions --json)" "it.find(({ app }) => app.client_id === '$CRM_CLIENT_ID')?.status")"; }

# The app, and its payment page.
app=$(crm apps create "Example" --redirect-uri http://localhost:4000/callback --scope contacts.readonly \
  --billing external --payment-page-url "http://localhost:$PORT/pay" --json)
CRM_CLIENT_ID=$(pick "$app" it.client_id) CRM_CLIENT_SECRET=$(pick "$app" it.client_secret)
export CRM_CLIENT_ID CRM_CLIENT_SECRET
"$node" "$here/page.ts" >&2 &
page=$!
location=$(pick "$(crm locations list --json)" 'it[0].id')

# Sign in, and allow the app.
token=$(browser "$CRM_BASE_URL/sign-in" | hidden form_token)
browser --output /dev/null --data-urlencode "form_token=$token" --data-urlencode "email=$EMAIL" \
  --data-urlencode "password=$PASSWORD" "$CRM_BASE_URL/sign-in"
browser --output "$folder/consent" --get --data-urlencode "client_id=$CRM_CLIENT_ID" --data response_type=code \
  --data-urlencode redirect_uri=http://localhost:4000/callback "$CRM_BASE_URL/oauth/authorize"
request=$(hidden request <"$folder/consent")
[ -n "$request" ] || { echo "There is no consent page: are EMAIL ($EMAIL) and PASSWORD those of an owner?" >&2; exit 1; }
payment=$(leads --data-urlencode "form_token=$(hidden form_token <"$folder/consent")" \
  --data "request=$request&answer=allow&location_id=$location" "$CRM_BASE_URL/oauth/authorize")
echo "allowed, and sent to $(echo "$payment" | cut -d '?' -f 1)"
tell "nothing is paid"

# Pay. The page reports it with "crm billing report", and sends the person back.
back=$(leads --retry 20 --retry-all-errors --retry-delay 1 --data card=good "$payment")
tell "paid"
leads "$back" | sed 's/?code=crm_code_.*/ has a code/'

# A month later the card is declined: the same report, by curl.
curl --silent --show-error --fail-with-body "$CRM_BASE_URL/api/oauth/billing/webhook" \
  --header "x-service-client-key: $CRM_CLIENT_ID" --header "x-service-client-secret: $CRM_CLIENT_SECRET" --json @- <<REPORT
{ "clientId": "$CRM_CLIENT_ID", "authType": "location", "locationId": "$location", "amount": 29.00,
  "status": "FAILED", "paymentType": "recurring", "paymentId": "inv_2", "subscriptionId": "sub_location_$location" }
REPORT
echo
tell "declined"

# Another card; by the terminal.
crm billing report --location "$location" --amount 29.00 --status COMPLETED --type recurring --payment-id inv_3
tell "paid again"

install=$(pick "$(crm apps installs "$(pick "$app" it.id)" --json)" 'it.find(({ status }) => status === "active").id')
crm apps uninstall "$install" --yes
tell "taken out"
