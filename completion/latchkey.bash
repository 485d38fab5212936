# Completion of latchkey(1) for bash.

_latchkey_global="--json --no-prompt --passcode-fd --help --version"
_latchkey_flags="userPresence biometryAny biometryCurrentSet devicePasscode companion privateKeyUsage applicationPassword"
_latchkey_classes="whenUnlocked afterFirstUnlock always whenUnlockedThisDeviceOnly afterFirstUnlockThisDeviceOnly
  alwaysThisDeviceOnly whenPasscodeSetThisDeviceOnly"
_latchkey_commands="add set get list show delete purge lock unlock status doctor recovery-key policy log export import help"

# The options of a command beside the global ones.
_latchkey_options() {
  case $1 in
    add | set) echo "--service --account --label --comment --require --join --accessible --application-password-fd" ;;
    get) echo "--service --account --application-password-fd" ;;
    list) echo "--service" ;;
    show) echo "--service --account" ;;
    delete) echo "--service --account --only-if-value" ;;
    lock) echo "--all" ;;
    unlock) echo "--recovery-key" ;;
    log) echo "--count" ;;
    export) echo "--passphrase-fd --force --skip-unprovable" ;;
    import) echo "--passphrase-fd --replace --replace-protection --dry-run" ;;
  esac
}

# Offers the words of a list that begin as the current word does.
_latchkey_offer() {
  local IFS=$' \n'
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}

# Offers one more flag behind those that are there.
_latchkey_offer_flags() {
  local head=""
  [[ $1 == *,* ]] && head=${1%,*},
  _latchkey_offer "$_latchkey_flags" "${1##*,}"
  COMPREPLY=("${COMPREPLY[@]/#/$head}")
}

_latchkey() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command="" index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
      --passcode-fd) ((index++)) ;;
      -*) ;;
      *)
        command=${COMP_WORDS[index]}
        break
        ;;
    esac
  done
  case $previous in
    --require) _latchkey_offer_flags "$current" && return ;;
    --join) _latchkey_offer "or and" "$current" && return ;;
    --accessible) _latchkey_offer "$_latchkey_classes" "$current" && return ;;
    --service | -s | --account | -a | --label | -l | --comment | --count | -n | *-fd) return ;;
  esac
  if [[ -z $command ]]; then
    if [[ $current == -* ]]; then
      _latchkey_offer "$_latchkey_global" "$current"
    else
      _latchkey_offer "$_latchkey_commands" "$current"
    fi
  elif [[ $command == policy ]]; then
    if ((index == COMP_CWORD - 1)); then
      _latchkey_offer "check test explain diff apply remove list" "$current"
    else
      compopt -o default 2>/dev/null
    fi
  elif [[ $current == -* ]]; then
    _latchkey_offer "$(_latchkey_options "$command") $_latchkey_global" "$current"
  elif [[ $command == help ]]; then
    _latchkey_offer "$_latchkey_commands" "$current"
  elif [[ $command == export || $command == import ]]; then
    compopt -o default 2>/dev/null
  fi
  return 0
}

complete -F _latchkey latchkey
