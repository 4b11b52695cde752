# The warnings every target of this project is built with. None is tolerated. (-Wrestrict is off because g++ 12 raises it
# falsely for string concatenation.)
add_library(kore_warnings INTERFACE)
target_compile_options(kore_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wnon-virtual-dtor -Woverloaded-virtual -Wno-restrict -Werror)
