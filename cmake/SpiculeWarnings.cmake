# spc_warnings(target): the warnings that all of our C must pass, as errors.
function(spc_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
endfunction()
